import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { logStateName } from '../store/directory.ts'
import { syncDirectory } from '../store/durability.ts'
import { giveToOwner } from '../store/owner.ts'

/** What a data directory knows of the log that it belongs to. */
export interface State {
  /** The id of the log. */
  log: string
  /** The id of this node. */
  node: string
  /** The epoch since which this node leads or led, without another leader in between; 0 while it begins the log. Null: it follows, and its database is what the log has up to its position. */
  leading: number | null
  /** The epoch in which the server that runs here appends to the log whatever is committed here, also by commands; null: none does. */
  shipping?: number | null
  /** Whether its write-ahead log may hold what the log does not have: it has led, and has not handed over. */
  unshipped?: boolean
  /** Whether the next start takes a new base. If it led, it waits for another one to lead before that. */
  needsBase: boolean
  /** How often another node has taken the lead from this one. */
  fenced: number
  /** How commands reach the log and a server that runs. */
  settings: LogSettings
}

/** The settings with which `serve` was started last. */
export interface LogSettings {
  log: string
  /** The address of this node for clients and other nodes. */
  advertise: string
  logCa?: string | undefined
  logCert?: string | undefined
  logKey?: string | undefined
  logUser?: string | undefined
  logPasswordFile?: string | undefined
  logLeaseSeconds: number
}

function pathIn(directory: string): string {
  return join(directory, logStateName)
}

/** Returns undefined if the directory belongs to no log. */
export function readState(directory: string): State | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(directory), 'utf8')) as State
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Returns when the state is on disk. */
export function writeState(directory: string, state: State): void {
  const path = pathIn(directory)
  const fd = openSync(`${path}.new`, 'w', 0o600)
  try {
    writeFileSync(fd, `${JSON.stringify(state, null, 2)}\n`)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
  giveToOwner(`${path}.new`)
  renameSync(`${path}.new`, path)
  syncDirectory(directory)
}

export function removeState(directory: string): void {
  rmSync(pathIn(directory), { force: true })
}
