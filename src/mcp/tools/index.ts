import type { Agent } from '../protocol/agent.ts'
import { type Properties, schemaOf } from './arguments.ts'
import { describe } from './describe.ts'
import { deleteRecord, mergeRecords } from './destroy.ts'
import { getRecord, listChanges, listRecords, summarize } from './lists.ts'
import { fetchRecord, search } from './search.ts'
import type { Tool } from './tool.ts'
import { completeTask, logActivity, saveRecord, undo } from './write.ts'

/** Every tool, in the order in which clients get them (decision L2). */
export const tools: readonly Tool[] = [
  search,
  fetchRecord,
  describe,
  listRecords,
  getRecord,
  summarize,
  listChanges,
  saveRecord,
  logActivity,
  completeTask,
  deleteRecord,
  mergeRecords,
  undo,
]

interface Offered {
  tool: Tool
  properties: Properties
  /** As `tools/list` shows it. */
  shown: object
}

/** The tools that the scopes of the key and the mode allow. */
export function toolsOf(agent: Pick<Agent, 'credential' | 'mode'>): Offered[] {
  return tools.flatMap((tool) => {
    const properties = agent.mode === 'read' && tool.kind !== 'read' ? undefined : tool.input(agent)
    return properties ? [{ tool, properties, shown: show(tool, properties) }] : []
  })
}

function show(tool: Tool, properties: Properties): object {
  const { name, title, description, kind, isAdditive = false, isIdempotent = false, output } = tool
  return {
    name,
    title,
    description,
    inputSchema: schemaOf(properties),
    outputSchema: { type: 'object', properties: output },
    annotations: {
      title,
      readOnlyHint: kind === 'read',
      destructiveHint: kind !== 'read' && !isAdditive,
      idempotentHint: kind === 'read' || isIdempotent,
      openWorldHint: false,
    },
  }
}
