# Makes and starts a PostgreSQL server that takes encrypted connections only, with a role `myao` that may do nothing but use
# its own schema. Says "ready FOLDER", and takes all away at the end of its input.
# $1: the folder of PostgreSQL's programs; $2: the port. Run by secured.rs.
set -eu
umask 077
folder=$(mktemp -d /tmp/myao-secured.XXXXXX)
clean_up() {
    "$1/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null 2>&1 || true
    rm -rf "$folder"
}
trap 'clean_up "$1"' EXIT
trap '' INT HUP TERM PIPE
fail() { cat "$folder/log" >&2; exit 1; }

cd "$folder"
{
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj '/CN=an authority of the tests' \
        -keyout authority.key -out authority.pem &&
        openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr &&
        echo 'subjectAltName = DNS:localhost' >extensions &&
        openssl x509 -req -in server.csr -days 2 -CA authority.pem -CAkey authority.key -CAcreateserial \
            -extfile extensions -out server.pem &&
        "$1/initdb" -N -A trust -U postgres --locale=C.UTF-8 -E UTF8 -D data
} >log 2>&1 || fail
cat >>data/postgresql.conf <<END
listen_addresses = '127.0.0.1'
unix_socket_directories = '$folder'
port = $2
fsync = off
ssl = on
ssl_cert_file = '$folder/server.pem'
ssl_key_file = '$folder/server.key'
END
cat >data/pg_hba.conf <<END
local all postgres trust
hostssl myao myao 127.0.0.1/32 scram-sha-256
END
"$1/pg_ctl" -D data -l log -w -t 60 start >/dev/null || fail
"$1/psql" -q -v ON_ERROR_STOP=1 -h "$folder" -p "$2" -U postgres >>log 2>&1 <<END || fail
CREATE ROLE myao LOGIN PASSWORD 'a password';
CREATE DATABASE myao;
\\c myao
REVOKE ALL ON SCHEMA public FROM PUBLIC;
CREATE SCHEMA myao AUTHORIZATION myao;
END
chmod 755 "$folder" && chmod 644 authority.pem
echo "ready $folder"
cat >/dev/null
