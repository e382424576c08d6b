import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Environment } from '../../src/access/company.ts'
import { type Client, clientFor } from '../support/client.ts'
import { administerHere, runHere } from '../support/command.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { prepareCompany, prepareKey } from '../support/prepare.ts'
import { bundle, launch, type Process } from '../support/program.ts'

/** A server that has a cell. */
export interface Cell {
  url: string
  directory: string
  process: Process
  /** Runs a command on its data, in this process. Returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: commands print records of every shape
  run(...args: string[]): Promise<any>
  /** Creates a company, and a client with a key of its live data. */
  company(name: string): Promise<{ id: string; client: Client }>
  key(companyId: string, environment?: Environment): Promise<Client>
}

export async function startCell(t: Pick<TestContext, 'after'>, name: string): Promise<Cell> {
  const directory = join(temporaryDirectory(t), 'data')
  const settings = ['--port', '0', '--rate-limits', 'off', '--webhook-allow', '127.0.0.1', '--request-log', 'off']
  const process = await launch(t, bundle, ['serve', '--data', directory, '--cell', name, ...settings])
  const url = process.first.url!
  const command = (...args: string[]) => administerHere(...args, '--data', directory)
  const key = (companyId: string, environment?: Environment) => prepareKey(directory, companyId, url, environment)
  return {
    ...{ url, directory, process, run: command, key },
    async company(of) {
      const id = await prepareCompany(directory, of)
      return { id, client: await key(id) }
    },
  }
}

/** The same key at another address. */
export function at(url: string, { keyId, key }: Client): Client {
  return clientFor(url, { id: keyId, key })
}

/** Runs a command that fails. Returns its exit code and message. */
export async function failing({ directory }: Pick<Cell, 'directory'>, ...args: string[]): Promise<string> {
  const { code, stderr } = await runHere([...args, '--data', directory])
  return `${code} ${stderr.trim()}`
}
