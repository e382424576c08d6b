import { createServer } from 'node:http'
import Database from 'better-sqlite3'

// The baseline that Kontor is compared with: a bare node:http server that returns a prepared string of the requested size
// (`/string?440`), and the same with one prepared SQLite read (`/read?440`).

const db = new Database(':memory:')
db.exec('CREATE TABLE record (id TEXT PRIMARY KEY, body TEXT) STRICT, WITHOUT ROWID')
const insert = db.prepare('INSERT OR IGNORE INTO record VALUES (?, ?)')
const read = db.prepare('SELECT body FROM record WHERE id = ?').pluck()
const strings = new Map<string, string>()

function prepare(size: string): string {
  const body = JSON.stringify({ data: 'x'.repeat(Math.max(0, Number(size) - 11)) })
  strings.set(size, body)
  insert.run(size, body)
  return body
}

const server = createServer((req, res) => {
  const [path, size] = req.url!.split('?') as [string, string]
  const prepared = strings.get(size) ?? prepare(size)
  const body = path === '/read' ? (read.get(size) as string) : prepared
  res.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(body) })
  res.end(body)
})

server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` })),
)
