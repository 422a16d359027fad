# sign-in

sign-in-not-password = That is not the password.
sign-in-sign = Sign in
sign-in-password = Password
sign-in-your-name-journal = Your name, for the journal
sign-in-memories-archive-decisions-workspace-behind = Memories, archive and decisions of a workspace are behind this, private channels included.
