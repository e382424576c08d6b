import { OperatorError } from '../errors.ts'
import type { NodeReport } from './log.ts'
import { withLog } from './options.ts'
import { readState } from './state.ts'

/** A log and its servers. */
export interface LogDescription {
  /** The address of the server that leads. */
  leader: string | null
  epoch: number
  position: number
  bytes: number
  /** `behind`: the entries that the server did not have when it reported last, at most a second ago. */
  nodes: (NodeReport & { behind: number })[]
}

/** Describes the log that a data directory belongs to. Throws OperatorError. */
export async function describeLog(directory: string): Promise<LogDescription> {
  const state = readState(directory)
  if (!state) throw new OperatorError(`${directory} belongs to no log: start its server with --log.`)
  return withLog(state.settings, async (log) => {
    const { head, leader, trimmed } = await log.read(Number.MAX_SAFE_INTEGER)
    const nodes = await log.nodes()
    const position = head?.position ?? 0
    return {
      leader: leader?.url ?? null,
      epoch: head?.epoch ?? 0,
      position,
      bytes: (head?.bytes ?? 0) - trimmed.bytes,
      nodes: nodes.map((node) => ({ ...node, behind: Math.max(0, position - node.position) })),
    }
  })
}
