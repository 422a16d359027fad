# Runs PgBouncer in transaction mode before a PostgreSQL server, says "ready", and ends it at the end of its input.
# $1: the folder of the server's socket; $2: the port to listen on; $3: names of settings that a client may begin with
# and that have no effect; $4: the server's port, unless it is 5432. Run by pooler.rs.
set -eu
umask 077
folder=$(mktemp -d /tmp/myao-pgbouncer.XXXXXX)
clean_up() {
    [ -z "${pooler:-}" ] || kill -9 "$pooler" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean_up EXIT
trap '' INT HUP TERM PIPE
# As Debian's package has it, but for what names a place. The few connections of the pool change hands all the time.
cat >"$folder/pgbouncer.ini" <<END
[databases]
* = host=$1 port=${4:-5432} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $2
unix_socket_dir =
ignore_startup_parameters = $3
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
END
PATH=$PATH:/usr/sbin
pgbouncer -q "$folder/pgbouncer.ini" >"$folder/log" 2>&1 &
pooler=$!
# It is ready as soon as it listens.
tries=0
until grep -q ":$(printf '%04X' "$2") 00000000:0000 0A" /proc/net/tcp; do
    tries=$((tries + 1))
    [ "$tries" -lt 100 ] && kill -0 "$pooler" 2>/dev/null || { cat "$folder/log" >&2; exit 1; }
    sleep 0.1
done
echo ready
cat >/dev/null
