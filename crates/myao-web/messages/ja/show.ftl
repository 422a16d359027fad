# The text of a memory, wherever it is shown.

show-why-to-the-messages-behind = 出どころの発言へ
