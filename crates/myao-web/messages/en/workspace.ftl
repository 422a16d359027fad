# The page of the workspace’s memory.

workspace-what-everybody-may-know-from = What everybody may know, from open channels alone.
workspace-nothing-yet-it-is-made = Nothing yet: it is made once channels have long-term memories, at most once an hour.
workspace-the-text = The text
workspace-what-changed-and-edit = What changed, and edit
