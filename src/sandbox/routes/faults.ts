import * as v from 'valibot'
import type { Route } from '../../engine/api/call/route.ts'
import { rule } from '../../engine/records/definition/faults.ts'
import type { Describer, Description, JsonSchema } from '../../engine/records/describe.ts'
import { delayMsMax, type Fault, faultsMax, retryAfterMax } from '../faults.ts'
import { data, readMembers, strict, wholeNumber } from '../read-members.ts'
import type { World } from '../world.ts'
import { type ControlDescription, controlRoute, removalRoute } from './control.ts'
import { matchMembers } from './match.ts'

const timesMax = 1_000_000

/** Reads and replaces the faults of a world (decision I8). */
export function faultRoutes(world: World): Route[] {
  return [
    controlRoute({
      ...{ method: 'PUT', path: '/faults', takesBody: true, bodySize: 'list' },
      run: ({ body }) => {
        const { items } = readMembers(body, { items: list })
        world.instance.faults.replace(items as Fault[])
        return data(world.instance.faults.state)
      },
      describe: describePut,
    }),
    controlRoute({
      ...{ method: 'GET', path: '/faults' },
      run: () => data(world.instance.faults.state),
      describe: describeGet,
    }),
    removalRoute({
      path: '/faults',
      remove: () => world.instance.faults.replace([]),
      id: 'deleteSandboxFaults',
      summary: 'Remove all faults',
      about: 'They are removed.',
      schema: 'SandboxFaultsDeleted',
    }),
  ]
}

const yes = v.literal(true, 'reset and reset_after_commit can only be true')
const action = v.union(
  [
    v.strictObject({
      status: wholeNumber('status', 400, 599),
      retry_after: v.optional(wholeNumber('retry_after', 0, retryAfterMax)),
    }),
    v.strictObject({ delay_ms: wholeNumber('delay_ms', 0, delayMsMax) }),
    v.strictObject({ reset: yes }),
    v.strictObject({ reset_after_commit: yes }),
  ],
  `do must be {status: 400…599, retry_after}, {delay_ms: 0…${delayMsMax}}, {reset: true} or {reset_after_commit: true}`,
)
const shareMessage = 'probability must be a number from 0 to 1'
const fault = strict('A fault', {
  match: v.optional(strict('match', matchMembers), {}),
  do: action,
  times: v.optional(v.nullable(wholeNumber('times', 0, timesMax)), null),
  probability: v.optional(
    v.pipe(
      v.number(shareMessage),
      rule('OUT_OF_RANGE', (value) => value >= 0 && value <= 1, shareMessage),
    ),
    1,
  ),
})
const list = v.pipe(
  v.array(fault),
  rule('OUT_OF_RANGE', (faults) => faults.length <= faultsMax, `There can be at most ${faultsMax} faults`),
)

const example = {
  ...{ match: { method: 'POST', path: '/api-v1-deals*' }, do: { status: 503, retry_after: 1 } },
  ...{ times: 2, probability: 1 },
}

function faultSchema(doc: Describer): JsonSchema {
  const whole = (minimum: number, maximum: number): JsonSchema => ({ type: 'integer', minimum, maximum })
  const one = (properties: Record<string, JsonSchema>, required: string[]): JsonSchema => ({
    ...{ type: 'object', properties, required, additionalProperties: false },
  })
  return doc.schema('SandboxFault', () => ({
    type: 'object',
    properties: {
      match: {
        ...one({ method: { type: 'string' }, path: { type: 'string', maxLength: 500 } }, []),
        description: 'Which requests. `*` in the path stands for any text. Default: all.',
      },
      do: {
        anyOf: [
          one({ status: whole(400, 599), retry_after: whole(0, retryAfterMax) }, ['status']),
          one({ delay_ms: whole(0, delayMsMax) }, ['delay_ms']),
          one({ reset: { type: 'boolean', const: true } }, ['reset']),
          one({ reset_after_commit: { type: 'boolean', const: true } }, ['reset_after_commit']),
        ],
        description:
          'An error without an effect, a delay, a connection that ends without an effect, or one that ends after the request has taken effect.',
      },
      times: { type: ['integer', 'null'], minimum: 0, maximum: timesMax, description: 'How often it still applies.' },
      probability: {
        ...{ type: 'number', minimum: 0, maximum: 1 },
        description: 'To which share of the requests it applies. Default: 1.',
      },
    },
    required: ['do'],
    additionalProperties: false,
  }))
}

function response(doc: Describer): Description['response'] {
  const items: JsonSchema = { type: 'array', items: faultSchema(doc) }
  return { about: 'The faults.', schema: doc.envelope('SandboxFaults', items) }
}

function describePut(doc: Describer): ControlDescription {
  return {
    id: 'setSandboxFaults',
    summary: 'Set the faults of requests',
    details:
      'They replace the earlier ones. The first one that matches a request applies. Requests to the sandbox’s control endpoints never fail. A single request can ask for its own fault with the header `Kontor-Fault`: `status=503`, `status=429; retry_after=5`, `delay=2000`, `reset` or `reset-after-commit`.',
    body: { type: 'array', items: faultSchema(doc), maxItems: faultsMax },
    response: response(doc),
    example: { body: [example], response: { data: [example] } },
  }
}

function describeGet(doc: Describer): ControlDescription {
  return {
    id: 'getSandboxFaults',
    summary: 'List the faults of requests',
    response: response(doc),
    example: { response: { data: [example] } },
  }
}
