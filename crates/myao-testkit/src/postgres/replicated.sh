# A primary with a synchronous replica, which takes over on command. Says "ready", then does what it reads, a word a line,
# and answers "done"; takes all away at the end of its input.
# $1: the folder of PostgreSQL's programs; $2, $3: the ports of the two. Run by replicated.rs.
set -eu
umask 077
folder=$(mktemp -d /tmp/myao-replicated.XXXXXX)
clean_up() {
    for server in one other; do
        "$1/pg_ctl" -D "$folder/$server" -m immediate -w stop >/dev/null 2>&1 || true
    done
    rm -rf "$folder"
}
trap 'clean_up "$1"' EXIT
trap '' INT HUP TERM PIPE
fail() { cat "$folder"/log* >&2; exit 1; }

"$1/initdb" -N -A trust -U postgres --locale=C.UTF-8 -E UTF8 -D "$folder/one" >"$folder/log" 2>&1 || fail
cat >>"$folder/one/postgresql.conf" <<END
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 100
port = $2
fsync = off
full_page_writes = off
wal_level = replica
max_wal_senders = 4
hot_standby = on
END
"$1/pg_ctl" -D "$folder/one" -l "$folder/log" -w -t 60 start >/dev/null || fail
"$1/pg_basebackup" -h 127.0.0.1 -p "$2" -U postgres -D "$folder/other" -R -X stream -c fast >>"$folder/log" 2>&1 || fail
echo "port = $3" >>"$folder/other/postgresql.conf"
"$1/pg_ctl" -D "$folder/other" -l "$folder/log.other" -w -t 60 start >/dev/null || fail
# From now on no commit is answered before the replica has it.
echo "synchronous_standby_names = '*'" >>"$folder/one/postgresql.conf"
"$1/pg_ctl" -D "$folder/one" reload >/dev/null || fail
echo ready
while read -r word; do
    case $word in
    # The primary dies as by kill -9: nobody is told.
    kill)
        read -r pid <"$folder/one/postmaster.pid"
        pkill -9 -P "$pid" 2>/dev/null || true
        kill -9 "$pid"
        ;;
    # The primary that was killed starts again as if nothing had happened, and waits for no replica.
    revive)
        echo "synchronous_standby_names = ''" >>"$folder/one/postgresql.conf"
        # Its last processes may still be about to end.
        tries=0
        until "$1/pg_ctl" -D "$folder/one" -l "$folder/log" -w -t 60 start >/dev/null 2>&1; do
            tries=$((tries + 1))
            [ "$tries" -lt 50 ] || fail
            sleep 0.2
        done
        ;;
    # The promoted server is stopped.
    stop) "$1/pg_ctl" -D "$folder/other" -m fast -w -t 60 stop >/dev/null || fail ;;
    promote) "$1/pg_ctl" -D "$folder/other" -w -t 60 promote >/dev/null || fail ;;
    restart)
        "$1/pg_ctl" -D "$folder/other" -l "$folder/log.other" -m fast -w -t 60 restart >/dev/null || fail
        ;;
    esac
    echo done
done
