// Bare `pg` running one indexed query behind node:http: what keeps an artist's time in a month.
import { createServer } from 'node:http';
import pg from 'pg';
import { listen } from './listen.ts';

const { DATABASE_URL, ARTIST_ID, FROM, UNTIL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });

const server = createServer(async (_, response) => {
  const { rows } = await pool.query(
    `SELECT lower(blocked) AS start, upper(blocked) AS "end" FROM appointment_times
     WHERE artist_id = $1 AND occupies AND blocked && tstzrange($2, $3)
       AND (expires_at IS NULL OR expires_at > $4)
     ORDER BY lower(blocked)`,
    [ARTIST_ID, FROM, UNTIL, new Date()],
  );
  const body = JSON.stringify({ data: rows });
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
});
listen(server);
