import type { IncomingHttpHeaders } from 'node:http'
import { type McpMode, mcpModes } from '../../access/key.ts'
import { invalid } from '../../engine/records/definition/faults.ts'
import { forbidden, validationError } from '../../errors.ts'

/** The narrowest of what the key allows, the header `Kontor-Mcp-Mode` asks for, and the path. Throws VALIDATION_ERROR. */
export function readMode(key: McpMode, headers: IncomingHttpHeaders, isReadOnly: boolean): McpMode {
  const asked = headers['kontor-mcp-mode'] ?? 'write'
  if (!mcpModes.includes(asked as McpMode)) {
    const message = `Kontor-Mcp-Mode must be one of: ${mcpModes.join(', ')}`
    throw validationError([invalid('Kontor-Mcp-Mode', message)])
  }
  return narrower(isReadOnly ? 'read' : key, narrower(key, asked as McpMode))
}

/** Throws INSUFFICIENT_PERMISSIONS if the key's mode has become narrower than `needed`. */
export function requireMode(key: McpMode, needed: McpMode): void {
  if (narrower(key, needed) === needed) return
  throw forbidden(`The mode of the key is now ${key}: call again`)
}

function narrower(a: McpMode, b: McpMode): McpMode {
  return mcpModes.indexOf(a) < mcpModes.indexOf(b) ? a : b
}
