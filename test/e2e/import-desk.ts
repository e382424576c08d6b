import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Client } from '../support/client.ts'
import { runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import type { Run } from '../support/program.ts'
import { start } from '../support/start.ts'

interface Desk {
  url: string
  client: Client
  directory: string
  importFile(what: string, name: string, ...options: string[]): Promise<Run>
}

/** A server, and a directory with files. Names without a content are samples. */
export async function desk(t: TestContext, files: Record<string, string | Buffer>): Promise<Desk> {
  const server = await start(t)
  const client = await server.client()
  const directory = temporaryDirectory(t)
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  return {
    url: server.url,
    client,
    directory,
    importFile: (what, name, ...options) =>
      runHere(['import', what, join(directory, name), '--url', server.url, '--key', client.key, ...options]),
  }
}

export function sample(name: string): Buffer {
  return readFileSync(new URL(`../samples/${name}`, import.meta.url))
}
