import * as v from 'valibot'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import type { Describer, JsonSchema } from '../../engine/records/describe.ts'
import { isPlainObject } from '../../engine/records/kinds/fields.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Image } from '../image.ts'
import { controlPath } from '../instance.ts'
import { readClock } from '../read-clock.ts'
import { choice, created, moment, readMembers, text, wholeNumber } from '../read-members.ts'
import type { World } from '../world.ts'
import { bodySchema, type ControlDescription, controlRoute, momentSchema, removalRoute, textSchema } from './control.ts'
import { findImage, imageName } from './images.ts'

const ttlSeconds = { default: 900, max: 86_400 }
const rateLimits = ['off', 'plan'] as const

/** What makes and removes forks. */
export interface Forking {
  /** Throws CONFLICT if there are too many. */
  fork(parent: World, what: ForkOptions): World
  /** Throws NOT_FOUND. */
  remove(by: World, id: string): void
}

export interface ForkOptions {
  image: Image
  /** Default: the id of the fork. */
  seed: string | undefined
  idleMsMax: number
  rateLimits: (typeof rateLimits)[number]
}

/** Makes and removes worlds of their own (decision I5). */
export function forkRoutes(world: World, worlds: Forking): Route[] {
  return [
    controlRoute({
      ...{ method: 'POST', path: '/forks', takesBody: true, bodyOptional: true },
      run: (call) => fork(world, worlds, call),
      describe: describeFork,
    }),
    removalRoute({
      path: '/forks/:id',
      remove: ({ id }) => worlds.remove(world, id!),
      id: 'deleteSandboxFork',
      summary: 'Delete a fork',
      details: 'With its own key, or with that of the world it was made from.',
      about: 'It is deleted.',
      schema: 'SandboxForkDeleted',
      errors: { NOT_FOUND: 'There is no such fork.' },
      params: { id: example.id },
    }),
  ]
}

const members = {
  from: v.optional(imageName('from', ['current']), 'current'),
  seed: v.optional(text('seed', 100)),
  clock: v.optional(
    v.lazy((given) =>
      typeof given === 'string'
        ? moment('clock')
        : v.custom<object>(isPlainObject, 'clock must be a timestamp or an object'),
    ),
  ),
  ttl_seconds: v.optional(wholeNumber('ttl_seconds', 1, ttlSeconds.max), ttlSeconds.default),
  rate_limits: v.optional(choice('rate_limits', rateLimits), 'off'),
}

async function fork(world: World, worlds: Forking, { body }: Call): Promise<ApiResponse> {
  const { from, seed, clock, ttl_seconds, rate_limits } = readMembers(body, members)
  const image = from === 'current' ? await world.instance.save() : await findImage(world, from)
  const given = typeof clock === 'number' ? { now: timestamp(clock) } : (clock ?? {})
  const made = worlds.fork(world, {
    image: { ...image, clock: readClock(given, image.clock) },
    seed,
    idleMsMax: ttl_seconds * 1_000,
    rateLimits: rate_limits,
  })
  const expires_at = timestamp(world.instance.clock.now() + ttl_seconds * 1_000)
  return { ...created({ id: made.id, key: made.key, expires_at }, `${controlPath}/forks/${made.id}`), secret: true }
}

const example = {
  id: 'fork-1',
  key: 'svc_test_4XkQ0aZ1bY2cX3dW4eV5fU6gT7hS8iR9',
  expires_at: '2026-01-05T09:15:00.000Z',
}

function describeFork(doc: Describer): ControlDescription {
  const clock: JsonSchema = {
    anyOf: [momentSchema, { type: 'object', properties: { now: momentSchema, mode: { type: 'string' } } }],
    description: 'Where its clock starts: a timestamp, or `now` and `mode`. Default: where it was in the image.',
  }
  return {
    id: 'forkSandbox',
    summary: 'Make a world of its own',
    details:
      'A copy with its own records, clock, faults, inbox and journal, behind its own key, which also controls it. It ends after `ttl_seconds` of real time without a request. Other keys that were created before lead to the world they were created in.',
    body: bodySchema(doc, 'ForkSandbox', {
      from: {
        type: 'string',
        description: '`current` (default), `start`, `empty`, `demo`, or the name of a snapshot.',
      },
      seed: { type: 'string', minLength: 1, maxLength: 100, description: 'What its ids follow from. Default: its id.' },
      clock,
      ttl_seconds: {
        ...{ type: 'integer', minimum: 1, maximum: ttlSeconds.max },
        description: `Default: ${ttlSeconds.default}.`,
      },
      rate_limits: { type: 'string', enum: rateLimits, description: 'Default: `off`.' },
    }),
    response: {
      status: 201,
      about: 'The fork. Its key is shown only here.',
      schema: doc.envelope(
        'SandboxForked',
        doc.schema('SandboxFork', () => doc.object({ id: textSchema, key: textSchema, expires_at: momentSchema })),
      ),
    },
    errors: { NOT_FOUND: 'There is no such snapshot.', CONFLICT: 'There are 200 forks, or they take too much memory.' },
    example: { body: { seed: 'worker-3' }, response: { data: example } },
  }
}
