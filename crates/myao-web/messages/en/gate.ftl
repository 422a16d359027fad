# Why a request is refused before any page is made.

gate-foreign-host = this address is not one of ours: web.hosts names those that are
gate-other-site-asked = a page of another site asked for this; open the address in a tab of its own
gate-the-form-is-too-long = the form is too long
gate-form-too-old = the form is too old, or not one of ours: load the page again
