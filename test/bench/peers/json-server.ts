import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../support/free-port.ts'
import { closing, installed, launch, loadsOf, organizationsFrom, type Peer, rows } from './peer.ts'

/** Starts json-server, which keeps everything in memory and rewrites its complete file at each create. */
export async function jsonServer(): Promise<Peer | string> {
  const program = join(installed, 'json-server', 'lib', 'cli', 'bin.js')
  if (!existsSync(program)) return 'json-server@0.17 is not installed in BENCH_PEERS'
  const directory = mkdtempSync(join(tmpdir(), 'kontor-bench-'))
  const file = join(directory, 'db.json')
  const organizations = organizationsFrom(0, rows).map((each, at) => ({ id: at + 1, ...each }))
  writeFileSync(file, JSON.stringify({ organizations }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}/organizations`
  const arguments_ = ['--quiet', '--host', '127.0.0.1', '--port', String(port), file]
  const child = await launch([process.execPath, program, ...arguments_], `${url}/1`)
  const paths = { list: '?_page=1&_limit=50', filtered: '?_page=1&_limit=50&status=active' }
  return { loads: loadsOf({ url, headers: {} }, '500', paths), close: closing(child, directory) }
}
