# The page on which one signs in.

sign-in-that-is-not-the-password = That is not the password.
sign-in-sign-in = Sign in
sign-in-password = Password
sign-in-your-name-for-the-journal = Your name, for the journal
sign-in-memories-archive-and-decisions = Memories, archive and decisions of a workspace are behind this, private channels included.
