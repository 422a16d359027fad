# show

show-why-messages-behind-line = Why? To the messages behind this line
