import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from './cluster.ts'
import { temporaryDirectory } from './directory.ts'
import { eventually } from './receiver.ts'

export const withoutHaproxy =
  spawnSync('haproxy', ['-v']).status === 0 ? false : 'HAProxy is not installed (apt install haproxy)'

/** HAProxy in front of cells. */
export interface CellProxy {
  url: string
  /** Routes keys that begin like this to a cell. */
  route(prefix: string, cell: string): Promise<void>
}

/** Starts HAProxy as docs/cells.md configures it. `cells` are the addresses by name; keys that it does not know go to the first. */
export async function startCellProxy(
  t: Pick<TestContext, 'after'>,
  cells: Readonly<Record<string, string>>,
): Promise<CellProxy> {
  const directory = temporaryDirectory(t)
  const [map, admin, file] = ['cells.map', 'admin.sock', 'haproxy.cfg'].map((name) => join(directory, name))
  const names = Object.keys(cells)
  const lines = names.flatMap((name) => ['live', 'test'].map((kind) => `svc_${kind}_${name} ${name}\n`))
  writeFileSync(map!, lines.join(''))
  const port = await freePort()
  const backends = names.map((name) => `backend cell_${name}\n  server kontor ${new URL(cells[name]!).host}\n`)
  writeFileSync(
    file!,
    `global
  stats socket ${admin} mode 600 level admin
defaults
  mode http
  timeout connect 5s
  timeout client 5m
  timeout server 5m
frontend api
  bind 127.0.0.1:${port}
  use_backend cell_%[http_auth_bearer,map_beg(${map},${names[0]})]
  default_backend cell_${names[0]}
${backends.join('')}`,
  )
  const proxy = spawn('haproxy', ['-db', '-f', file!], { stdio: ['ignore', 'ignore', 'inherit'] })
  t.after(() => proxy.kill('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  await eventually(async () => {
    assert.equal(proxy.exitCode, null)
    return (await fetch(`${url}/healthz`).catch(() => undefined))?.status === 200
  })
  return {
    url,
    async route(prefix, cell) {
      const socket = connect(admin!)
      socket.end(`add map ${map} ${prefix} ${cell}\n`)
      let answer = ''
      socket.on('data', (part) => {
        answer += part
      })
      await once(socket, 'close')
      assert.equal(answer.trim(), '')
    },
  }
}
