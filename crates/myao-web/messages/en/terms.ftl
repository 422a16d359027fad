# The page of words of the house.

terms-words-of-the-house = Words of the house
terms-people-explained-them = Abbreviations, nicknames and names, as people explained them. Whoever asks with one of two words also finds what was said with the other.
terms-a-part-of-a-word = A part of a word or of what it means
terms-nobody-explained-one = Nobody explained such a word here.
terms-and-more-words = and more; say a part of the word: { $number }
terms-how-to-end-one = Is one wrong? Say so where it was said (“PJ-K stands for Kobe, not Kanda”), or end it here: whatever said so in its channel up to now counts no more. The message stays.
terms-it-does-not-mean-this = It does not mean this
terms-let-it-count-again = Let it count again
terms-show-what-was-ended = Show what was ended by hand
terms-show-what-counts = Show what counts
terms-none-is-ended = No meaning is ended by hand.
