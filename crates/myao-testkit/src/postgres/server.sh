# Makes and starts a PostgreSQL server, says "ready FOLDER", and takes both away at the end of its input.
# $1: the folder of PostgreSQL's programs. Run by postgres.rs.
set -eu
umask 077
# Not under TMPDIR: a socket's path may have 107 bytes only, and another user's TMPDIR may be closed to us.
folder=$(mktemp -d /tmp/myao-postgres.XXXXXX)
clean_up() {
    "$1/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap 'clean_up "$1"' EXIT
# PIPE too: should the tests be gone before the server is ready, `echo` fails and the clean-up still runs.
trap '' INT HUP TERM PIPE

"$1/initdb" -N -A trust -U postgres --locale=C.UTF-8 -E UTF8 -D "$folder/data" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
# Safety is not wanted here, speed is: the data die with the test.
cat >>"$folder/data/postgresql.conf" <<END
listen_addresses = ''
unix_socket_directories = '$folder'
max_connections = 200
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
autovacuum = off
END
"$1/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 start >/dev/null ||
    { cat "$folder/log" >&2; exit 1; }

echo "ready $folder"
cat >/dev/null
