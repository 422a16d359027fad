# The page of a channel, and the heading of all pages about one.

channel-changes = Changes
channel-why = Why
channel-threads = Threads
channel-prompt = Prompt
channel-this-channel = This channel
channel-see-as-here = See as here
channel-coverage = { $messages }, { $remembered } remembered, { $waiting } waiting
channel-with-people-from-outside = with people from outside
channel-until-the-chat-tells-what = until the chat tells what it is
channel-nothing-yet-chapters-are-folded = Nothing yet. Chapters are folded in here once there are some: a chapter ends after two quiet hours, or fifty messages.
channel-earlier-texts-of-this-memory = Earlier texts of this memory
channel-now = , now
channel-blue-is-new-since = Blue is new since the text before. A day leads to the messages behind a line.
channel-edit = Edit
channel-rebuild = Rebuild
channel-text-about =
    Text { $nth } of { $all }. { $tokens } of about { $target } tokens, from { $messages } messages{ $chapters ->
        [0] {""}
       *[other] , chapters 1 to { $chapters }
    }. Entry { $entry } of { $at }, by { $actor }.
channel-its-chapters = Its chapters
channel-none-ended-yet-a-chapter = None ended yet. A chapter ends when nobody speaks for a while, or when it is full.
channel-still-to-be-written = { $number } still to be written: how far it has come
channel-earlier-chapters = Earlier chapters
channel-under-way = under way
channel-provisional-its-chapter-is-under = provisional, its chapter is under way
channel-how-verbatim = word for word
channel-how-summary = summary
channel-how-merge = folded in
channel-how-emptied = emptied: every message was deleted
channel-how-adopted = taken over
channel-how-revert = taken back
channel-how-edit = by hand
channel-how-refused = refused
channel-how-dropped = dropped, to be written anew
channel-how-correction = put right by hand
