import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { freePort } from '../support/free-port.ts'
import { until } from '../support/wait.ts'
import { type Link, openLink } from './link.ts'

const paths = [process.env.ETCD_PATH ?? '', '/usr/bin/etcd', '/usr/local/bin/etcd']
export const etcdPath = paths.find((path) => path !== '' && existsSync(path))

/** The value for a test's `skip`: false, or the reason why the test cannot run. */
export const withoutEtcd: string | false = etcdPath
  ? false
  : 'etcd is not installed: apt-get install etcd-server, or set ETCD_PATH'

/** A member of etcd. */
export interface EtcdMember {
  /** Where clients reach it. */
  port: number
  /** By which the other members reach it. */
  peers: Link
  kill(): void
  pause(): void
  /** Starts it again, or continues it. */
  heal(): void
  leads(): Promise<boolean>
}

/** Starts etcd with this number of members, whose elections are fast. */
export async function startEtcd(t: Pick<TestContext, 'after'>, count: number): Promise<EtcdMember[]> {
  const places = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const own = await freePort()
      const peers = await openLink(t, own)
      return { name: `m${index}`, port: await freePort(), own, peers, data: temporaryDirectory(t) }
    }),
  )
  const initial = places.map(({ name, peers }) => `${name}=http://127.0.0.1:${peers.port}`).join(',')
  const members = places.map(({ name, port, own, peers, data }): EtcdMember => {
    const url = `http://127.0.0.1:${port}`
    const options = {
      name,
      'data-dir': data,
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': `http://127.0.0.1:${own}`,
      'initial-advertise-peer-urls': `http://127.0.0.1:${peers.port}`,
      'initial-cluster': initial,
      'heartbeat-interval': '100',
      'election-timeout': '1000',
    }
    let child: ChildProcess
    const start = () => {
      child = spawn(
        etcdPath!,
        Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]),
        { stdio: 'ignore' },
      )
    }
    start()
    t.after(() => child.kill('SIGKILL'))
    return {
      port,
      peers,
      kill: () => void child.kill('SIGKILL'),
      pause: () => void child.kill('SIGSTOP'),
      heal() {
        child.kill('SIGCONT')
        if (child.exitCode !== null || child.signalCode !== null) start()
      },
      leads: () => leads(url),
    }
  })
  await until('etcd has a leader', async () =>
    (await Promise.all(members.map((member) => member.leads()))).includes(true),
  )
  return members
}

interface Status {
  leader?: string
  header: { member_id: string }
}

async function leads(url: string): Promise<boolean> {
  try {
    const init = { method: 'POST', body: '{}', signal: AbortSignal.timeout(1_000) }
    const status = (await (await fetch(`${url}/v3/maintenance/status`, init)).json()) as Status
    return status.leader !== undefined && status.leader === status.header.member_id
  } catch {
    return false
  }
}
