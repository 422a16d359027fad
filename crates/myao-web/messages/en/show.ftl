# The text of a memory, wherever it is shown.

show-why-to-the-messages-behind = Why? To the messages behind this line
