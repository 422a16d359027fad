# show

show-why-messages-behind-line = 出どころの発言へ
