import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Client, clientFor } from '../support/client.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { make } from '../support/make.ts'
import { firstClient } from '../support/prepare.ts'
import { bundle, launch, type Process } from '../support/program.ts'
import { type Disk, faultyDisk } from './faulty-disk.ts'

/** A server on a disk that can fail. */
export interface OnFaultyDisk {
  data: string
  disk: Disk
  server: Process
  client: Client
  /** Starts the server again, after it has ended. */
  restart(): Promise<void>
}

/** Starts a server on a disk that can fail and creates an organization. */
export async function onFaultyDisk(t: TestContext, args: string[] = []): Promise<OnFaultyDisk> {
  const directory = temporaryDirectory(t)
  const data = join(directory, 'data')
  const disk = faultyDisk(directory, data)
  const key = await firstClient(data, '')
  disk.settle()
  const restart = async () => {
    on.server = await launch(t, bundle, ['serve', '--data', data, '--port', '0', ...args], { env: disk.env })
    on.client = clientFor(on.server.first.url!, { id: key.keyId, key: key.key })
  }
  const on = { data, disk, restart } as OnFaultyDisk
  await restart()
  await make(on.client, 'organization', { name: 'First' })
  return on
}
