import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'

const program = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy'].find((path) => existsSync(path))

/** Why a test is skipped; false: it is not. */
export const withoutHaproxy = program ? false : 'HAProxy is not installed: apt-get install haproxy'

/** Starts HAProxy with this configuration. It is killed when the test ends. */
export function startHaproxy(t: Pick<TestContext, 'after'>, config: string): void {
  const file = join(temporaryDirectory(t), 'haproxy.cfg')
  writeFileSync(file, config)
  const proxy = spawn(program!, ['-f', file, '-db'], { stdio: 'ignore' })
  t.after(() => proxy.kill('SIGKILL'))
}

/** HAProxy in front of cells. */
export interface CellProxy {
  url: string
  /** Adds a line to its map: the beginning of a key, and a cell. */
  route(line: string): Promise<void>
}

const page = readFileSync(new URL('../../docs/cells.md', import.meta.url), 'utf8')

/** The block of docs/cells.md that begins like this. */
function blockOf(beginning: string): string {
  const block = page.split('```').find((text) => text.startsWith(`\n${beginning}`))
  assert.ok(block, beginning)
  return block.slice(1)
}

interface CellPlaces {
  /** The paths of its map and of its socket. */
  map: string
  admin: string
  port: number
  /** The hosts of the cells. */
  hosts?: [aa: string, bb: string]
}

/** Starts HAProxy with the configuration and the map of docs/cells.md. */
export function startPageProxy(t: Pick<TestContext, 'after'>, { map, admin, port, hosts }: CellPlaces): void {
  const [aa, bb] = hosts ?? ['10.0.0.11:8080', '10.0.0.12:8080']
  const config = blockOf('global')
    .replaceAll('/etc/haproxy/cells.map', map)
    .replace('/run/haproxy/admin.sock', admin)
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace('10.0.0.11:8080', aa)
    .replace('10.0.0.12:8080', bb)
  writeFileSync(map, blockOf('svc_live_aa'))
  startHaproxy(t, config)
}

/** The same, in front of the cells aa and bb. */
export async function startCellProxy(t: Pick<TestContext, 'after'>, aa: string, bb: string): Promise<CellProxy> {
  const directory = temporaryDirectory(t)
  const [map, admin] = [join(directory, 'cells.map'), join(directory, 'admin.sock')]
  const port = await freePort()
  startPageProxy(t, { map, admin, port, hosts: [new URL(aa).host, new URL(bb).host] })
  const url = `http://127.0.0.1:${port}`
  await until('HAProxy answers', async () => (await fetch(`${url}/healthz`).catch(() => undefined))?.status, {
    is: (status) => status === 200,
  })
  return {
    url,
    async route(line) {
      const socket = connect(admin)
      socket.end(`add map ${map} ${line}\n`)
      let answer = ''
      socket.on('data', (part) => {
        answer += part
      })
      await once(socket, 'close')
      assert.equal(answer.trim(), '')
    },
  }
}
