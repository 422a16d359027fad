# A PostgreSQL server that is stopped and started on command. Says "ready", then does what it reads, a word a line, and
# answers "done"; takes all away at the end of its input.
# $1: the folder of PostgreSQL's programs; $2: the port. Run by restartable.rs.
set -eu
umask 077
folder=$(mktemp -d /tmp/myao-restartable.XXXXXX)
clean_up() {
    "$1/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap 'clean_up "$1"' EXIT
trap '' INT HUP TERM PIPE
fail() { cat "$folder"/log* >&2; exit 1; }

"$1/initdb" -N -A trust -U postgres --locale=C.UTF-8 -E UTF8 -D "$folder/data" >"$folder/log" 2>&1 || fail
# As by default, but that it does not wait for the disk: the data die with the test.
cat >>"$folder/data/postgresql.conf" <<END
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
port = $2
fsync = off
END
start() { "$1/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 start >/dev/null 2>&1 || fail; }
start "$1"
echo ready
while read -r word; do
    case $word in
    stop) "$1/pg_ctl" -D "$folder/data" -m fast -w -t 60 stop >/dev/null || fail ;;
    start) start "$1" ;;
    esac
    echo done
done
