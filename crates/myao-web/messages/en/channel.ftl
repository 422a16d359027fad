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
channel-as-of = As of the end of this day
channel-as-of-now-instead = Now instead
channel-as-of-shown = As of { $at }: what had been said, what was remembered of it, and what held then. Texts may have been written later.
channel-as-of-written = Written { $at }.
channel-as-of-nothing-folded = No text of it holds only what had been said by then; the chapters beside it are all there was.
channel-as-of-ended = Until { $day }, when it was said: { $words }
channel-as-of-removed =
    { $number ->
        [1] { $number } message of that time was deleted or forgotten and is not shown.
       *[other] { $number } messages of that time were deleted or forgotten and are not shown.
    }
channel-as-of-unwritten =
    { $number ->
        [1] { $number } chapter of that time has no text now: words in it were removed, and what is left is written anew.
       *[other] { $number } chapters of that time have no text now: words in them were removed, and what is left is written anew.
    }
channel-as-of-edited =
    { $number ->
        [1] { $number } message of that time was edited since and is shown as edited.
       *[other] { $number } messages of that time were edited since and are shown as edited.
    }
channel-as-of-expired =
    { $number ->
        [1] The words of { $number } message of that time have expired; memories of it stay.
       *[other] The words of { $number } messages of that time have expired; memories of them stay.
    }
channel-as-of-unreadable = “{ $given }” names no day and no moment: give a date such as 2026-03-01.
channel-as-of-future = “{ $given }” has not come yet: there is nothing to tell as of then.
channel-as-of-before-everything = Nothing had been said here by “{ $given }”.
