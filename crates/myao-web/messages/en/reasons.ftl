# Why an entry of the journal was written. The journal keeps the English texts: they stand in show/reasons.rs too.

reasons-the-chapter-was-closed = the chapter was closed
reasons-the-window-moved-on = the window moved on
reasons-thread-went-on = the thread went on
reasons-by-hand = written by hand
reasons-taken-over = taken over from a database of myao2
reasons-builtin-wrote-it = ; builtin wrote it since the model's texts were not accepted
reasons-cut = ; cut, since the model wrote far more than it was asked to, twice
reasons-quoted = “{ $reason }”
reasons-chapters-waited = chapters { $first } to { $last } were waiting
reasons-chapter-waited = chapter { $number } was waiting
reasons-channels-changed = { $number } channels' memories changed
reasons-back-to-entry = back to entry { $entry }
