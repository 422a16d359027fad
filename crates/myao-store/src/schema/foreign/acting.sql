-- What could act when we read or write: kind, name and where, a row each. $1 are the names of our tables, each
-- the relation that our statements reach, and $2 those of our indexes.
--
-- What the server itself brings is noted as a dependency of nothing: each dependency on a function, an operator,
-- a type or a collation is on somebody else's.
WITH ours AS (
    SELECT c.oid, c.relname::text AS relname, c.relkind, c.relnamespace, c.relrowsecurity
    FROM unnest($1::text[]) AS n JOIN pg_class c ON c.oid = to_regclass(quote_ident(n))
), extensions AS (
    SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
), own AS (
    SELECT 'pg_class'::regclass::oid AS classid, oid AS objid, relname FROM ours
    UNION ALL SELECT 'pg_class'::regclass, i.indexrelid, relname FROM pg_index i JOIN ours ON oid = indrelid
    UNION ALL SELECT 'pg_attrdef'::regclass, d.oid, relname FROM pg_attrdef d JOIN ours ON ours.oid = adrelid
    UNION ALL SELECT 'pg_constraint'::regclass, k.oid, relname FROM pg_constraint k JOIN ours ON ours.oid = conrelid
), schemas AS (
    SELECT oid FROM pg_namespace WHERE nspname = ANY (current_schemas(false)) AND nspname <> 'pg_catalog'
)
SELECT 'place', relname, '' FROM ours WHERE relkind <> 'r'
UNION SELECT 'security', relname, '' FROM ours WHERE relrowsecurity
UNION SELECT 'trigger', tgname::text, relname FROM pg_trigger JOIN ours ON ours.oid = tgrelid
    WHERE NOT tgisinternal
UNION SELECT 'rule', rulename::text, relname FROM pg_rewrite JOIN ours ON ours.oid = ev_class
    WHERE rulename <> '_RETURN'
UNION SELECT 'policy', polname::text, relname FROM pg_policy JOIN ours ON ours.oid = polrelid
UNION SELECT 'heir', inhrelid::regclass::text, relname FROM pg_inherits
    JOIN ours ON ours.oid IN (inhrelid, inhparent)
UNION SELECT 'constraint', conname::text, relname FROM pg_constraint JOIN ours ON ours.oid = conrelid
    WHERE contype IN ('c', 'x')
UNION SELECT 'reference', conrelid::regclass::text, relname FROM pg_constraint JOIN ours ON ours.oid = confrelid
    WHERE contype = 'f' AND conrelid NOT IN (SELECT oid FROM ours)
UNION SELECT 'index', x.relname::text, ours.relname FROM pg_index i
    JOIN ours ON ours.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
    WHERE x.relname <> ALL ($2::text[])
      AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = x.oid AND k.contype IN ('p', 'u'))
UNION SELECT 'generated column', attname::text, relname FROM pg_attribute JOIN ours ON ours.oid = attrelid
    WHERE attgenerated <> '' AND NOT attisdropped
UNION SELECT 'object', pg_describe_object(refclassid, refobjid, 0), relname FROM pg_depend
    JOIN own USING (classid, objid)
    WHERE refclassid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_opclass'::regclass,
                         'pg_type'::regclass, 'pg_collation'::regclass)
UNION SELECT 'view', v.relname::text, ours.relname FROM pg_depend d
    JOIN ours ON d.refclassid = 'pg_class'::regclass AND d.refobjid = ours.oid
    JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND d.objid = r.oid
    JOIN pg_class v ON v.oid = r.ev_class AND v.relkind IN ('v', 'm') AND v.relnamespace = ours.relnamespace
UNION SELECT 'function', p.proname::text, '' FROM pg_proc p
    WHERE p.pronamespace IN (SELECT oid FROM schemas)
      AND EXISTS (SELECT 1 FROM pg_proc b
                  WHERE b.proname = p.proname AND b.pronamespace = 'pg_catalog'::regnamespace)
      AND NOT EXISTS (SELECT 1 FROM extensions WHERE classid = 'pg_proc'::regclass AND objid = p.oid)
UNION SELECT 'operator', o.oprname::text, '' FROM pg_operator o
    WHERE o.oprnamespace IN (SELECT oid FROM schemas)
      AND EXISTS (SELECT 1 FROM pg_operator b
                  WHERE b.oprname = o.oprname AND b.oprnamespace = 'pg_catalog'::regnamespace)
      AND NOT EXISTS (SELECT 1 FROM extensions WHERE classid = 'pg_operator'::regclass AND objid = o.oid)
