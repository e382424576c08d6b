import { mcpModes } from '../../src/access/key.ts'
import type { Resource } from '../../src/engine/records/define.ts'
import { resources } from '../../src/features/index.ts'
import type { Property } from '../../src/mcp/tools/arguments.ts'
import { tools } from '../../src/mcp/tools/index.ts'
import { modern } from '../mcp/agent.ts'
import { junkText, junkValue } from './junk.ts'
import { type Draw, drawValue, unknownId } from './queries.ts'
import type { Shot } from './wire.ts'

const everything = { credential: { scopes: new Set(['admin:all']) } } as never

/** The call of a tool by an agent, in any mode. */
export function drawAgentShot(draw: Draw): Shot {
  const { random, tenant } = draw
  const tool = random.pick(tools)
  const name = random.below(20) === 0 ? junkText(random) : tool.name
  const mode = random.pick([...mcpModes, 'propose'])
  const params = { name, arguments: drawArguments(draw, tool.input(everything)!), _meta: { ...about } }
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: random.below(9), method: 'tools/call', params }))
  const headers = {
    Authorization: `Bearer ${tenant.key}`,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
    'MCP-Protocol-Version': modern,
    'Mcp-Method': 'tools/call',
    'Mcp-Name': name,
    'Kontor-Mcp-Mode': mode,
  }
  return { route: '/mcp', method: 'POST', target: random.pick(['/mcp', '/mcp', '/mcp/readonly']), headers, body }
}

const about = {
  'io.modelcontextprotocol/protocolVersion': modern,
  'io.modelcontextprotocol/clientInfo': { name: 'fuzz', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Half of them are valid except for ids. */
function drawArguments(draw: Draw, properties: Readonly<Record<string, Property>>): Record<string, unknown> {
  const { random } = draw
  const type = random.pick(properties.type?.enum ?? resources.map(({ name }) => name))
  const chosen = Object.entries(properties).filter(([, { required }]) => required || random.below(4) === 0)
  const given = Object.fromEntries(chosen.map(([name, property]) => [name, drawArgument(draw, name, property, type)]))
  if (random.below(2) === 0) given[random.pick([...Object.keys(properties), 'unknown'])] = junkValue(random)
  return given
}

function drawArgument(draw: Draw, name: string, property: Property, type: string): unknown {
  const { random, tenant, others } = draw
  const resource = resources.find((each) => each.name === type)
  const whose = random.below(4) === 0 ? random.pick(others) : tenant
  const id = () => random.pick(whose.places.get(`/${resource?.path}`) ?? [{ id: unknownId }]).id!
  if (name === 'type') return type
  if (name === 'values') return resource ? drawValues(draw, resource) : {}
  if (property.enum) return random.pick(property.enum)
  if (property.type === 'array') return [id()]
  if (property.type === 'boolean') return random.below(2) === 0
  if (property.type === 'integer') return 1 + random.below(50)
  if (property.type === 'object') return { by: tenant.mark }
  const text = name === 'query' ? random.pick(others).mark : tenant.mark
  return random.pick([id, () => text, () => junkText(random)])()
}

function drawValues(draw: Draw, resource: Resource): Record<string, unknown> {
  const settable = Object.values(resource.fields).filter(({ readonly }) => !readonly)
  const chosen = settable.filter(({ required }) => required !== undefined || draw.random.below(4) === 0)
  return Object.fromEntries(chosen.map((field) => [field.name, drawValue(draw, field, resource)]))
}
