import { grants } from '../../access/scopes.ts'
import { records } from '../../crm/records.ts'
import type { Resource } from '../../engine/records/definition/resource.ts'
import { mergeable } from '../../features/index.ts'
import type { Agent, JsonBody } from '../protocol/agent.ts'
import type { Arguments, Properties } from './arguments.ts'

/** The result of a tool: the JSON that the API responds with, or what the client has to ask its user. */
export type Outcome = JsonBody | Asking

interface Asking {
  resultType: 'input_required'
  inputRequests: JsonBody
  requestState: string
}

/** What a client answers to `Asking`. */
export interface Answered {
  inputResponses: unknown
  requestState: unknown
}

export interface Tool {
  name: string
  title: string
  description: string
  /** `destroy`: needs a confirmation. */
  kind: 'read' | 'write' | 'destroy'
  /** Whether it only adds. */
  isAdditive?: boolean
  /** Whether calling it twice with the same arguments has the effect of one call. */
  isIdempotent?: boolean
  /** Its arguments for an agent; undefined: the scopes of the key do not allow it. */
  input(agent: Pick<Agent, 'credential'>): Properties | undefined
  output: Readonly<Record<string, object>>
  /** Its arguments by the names that they have in errors of the API, if those are others. */
  renames?: ReadonlyMap<string, string>
  /** What an agent can do if it finds nothing; default: search for the record. */
  notFound?: string
  run(agent: Agent, given: Arguments, answered: Answered): Promise<Outcome>
}

/** The types of records that lists and searches show. */
export const readTypes: readonly Resource[] = records.filter(({ offers }) => offers.agents !== 'none')
/** The types of records that can be changed. */
export const writeTypes: readonly Resource[] = records.filter(({ offers }) => offers.agents === 'write')
export { mergeable as mergeTypes }

export function typesWith(
  kind: 'read' | 'write',
  of: readonly Resource[],
  { credential }: Pick<Agent, 'credential'>,
): string[] {
  return of.filter(({ scopes }) => grants(credential.scopes, scopes[kind])).map(({ name }) => name)
}

/** The arguments of a tool for some types; undefined: the key may use none. */
export function ifAny(types: readonly string[], rest: Properties): Properties | undefined {
  return types.length === 0 ? undefined : rest
}

/** Those of a tool that takes one of the types. */
export function withType(types: readonly string[], rest: Properties): Properties | undefined {
  return ifAny(types, { type: { type: 'string', enum: types, required: true }, ...rest })
}

/** The type with a name that an argument has. */
export function typeNamed(name: unknown): Resource {
  return readTypes.find((each) => each.name === name)!
}

export const id = { type: 'string', description: 'UUID', required: true } as const
export const record = { data: { type: 'object' } }
export const list = { data: { type: 'array', items: { type: 'object' } }, pagination: { type: 'object' } }

/** What every tool that writes shows besides the record. */
export const written = {
  undo: { type: 'object', description: 'Give request_id to undo.' },
  proposal: { type: 'object', description: 'In the mode propose: it waits for a person.' },
  dry_run: { type: 'boolean' },
  changes: { type: 'array', items: { type: 'object' }, description: 'Before and after, by field.' },
}
