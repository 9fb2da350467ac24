// Bare node:http sending the same bytes to everyone.
import { createServer } from 'node:http';
import { listen } from './listen.ts';

const { HEADERS = '[]', BODY = '' } = process.env;
const headers: string[] = JSON.parse(HEADERS);
const body = Buffer.from(BODY, 'base64');

listen(createServer((_, response) => response.writeHead(200, headers).end(body)));
