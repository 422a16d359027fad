# workspace

workspace-what-everybody-may-know-from = What everybody may know, from open channels alone.
workspace-nothing-yet-made-once-channels = Nothing yet: it is made once channels have long-term memories, at most once an hour.
workspace-text = The text
workspace-what-changed-edit = What changed, and edit
