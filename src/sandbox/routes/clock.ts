import * as v from 'valibot'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import { invalid, rule } from '../../engine/records/definition/faults.ts'
import type { Describer, Description, JsonSchema } from '../../engine/records/describe.ts'
import { ApiError, validationError } from '../../errors.ts'
import { dayMs, timestamp } from '../../lib/clock.ts'
import { parseDuration } from '../../lib/duration.ts'
import { advance } from '../advance.ts'
import { clockEnds, clockModes, lastMs } from '../clock.ts'
import { readClock } from '../read-clock.ts'
import { data, moment, readMembers } from '../read-members.ts'
import type { World } from '../world.ts'
import { bodySchema, type ControlDescription, controlRoute, countSchema, momentSchema } from './control.ts'

/** How far a clock can be advanced at once: ten years. */
const advanceMsMax = 3_653 * dayMs

/** Reads, sets and advances a world's clock (decision I7). */
export function clockRoutes(world: World): Route[] {
  return [
    controlRoute({ method: 'GET', path: '/clock', run: () => data(shownOf(world)), describe: describeGet }),
    controlRoute({
      ...{ method: 'PUT', path: '/clock', takesBody: true, bodyOptional: true },
      run: ({ body }) => set(world, body),
      describe: describePut,
    }),
    controlRoute({
      ...{ method: 'POST', path: '/clock/advance', takesBody: true },
      run: (call) => advanceClock(world, call),
      describe: describeAdvance,
    }),
  ]
}

function shownOf({ instance: { clock } }: World) {
  const { mode, nowMs } = clock.state
  return { now: timestamp(nowMs), mode }
}

async function set(world: World, body: object): Promise<ApiResponse> {
  const { clock, webhooks } = world.instance
  clock.set(readClock(body, clock.state))
  void webhooks.idle() // something may be due
  return data(shownOf(world))
}

async function advanceClock(world: World, { body }: Call): Promise<ApiResponse> {
  const { by, to } = readMembers(body, { by: v.optional(duration), to: v.optional(moment('to')) })
  if ((by === undefined) === (to === undefined)) {
    throw validationError([invalid('by', 'Give by, a duration, or to, a timestamp', 'REQUIRED')])
  }
  const { instance } = world
  return instance.inTurn(async () => {
    const nowMs = instance.clock.now()
    const untilMs = to ?? nowMs + by!
    requireAdvance(nowMs, untilMs, by === undefined ? 'to' : 'by')
    const ran = await advance(instance, untilMs)
    return data({ now: timestamp(instance.clock.now()), ran })
  })
}

/** Throws CONFLICT, VALIDATION_ERROR. */
function requireAdvance(nowMs: number, untilMs: number, field: 'by' | 'to'): void {
  if (untilMs < nowMs) throw new ApiError('CONFLICT', `The clock is at ${timestamp(nowMs)}: it only advances forward`)
  if (untilMs - nowMs > advanceMsMax) throw outOfRange(field, 'A clock advances by at most ten years')
  if (untilMs > lastMs) throw outOfRange(field, clockEnds)
}

function outOfRange(field: string, message: string): ApiError {
  return validationError([invalid(field, message, 'OUT_OF_RANGE')])
}

const durationForm = 'by must be a duration such as PT36H, P3D or P2W'
const duration = v.pipe(
  v.string(durationForm),
  rule('INVALID_FORMAT', (text) => parseDuration(text) !== undefined, durationForm),
  v.transform((text) => parseDuration(text)!),
)

const modeSchema: JsonSchema = { type: 'string', enum: clockModes }
const shown = { now: '2026-01-05T09:00:00.000Z', mode: 'frozen' }

function response(doc: Describer): Description['response'] {
  const clock = doc.schema('SandboxClock', () => doc.object({ now: momentSchema, mode: modeSchema }))
  return { about: 'The clock.', schema: doc.envelope('SandboxClockShown', clock) }
}

function describeGet(doc: Describer): ControlDescription {
  return {
    id: 'getSandboxClock',
    summary: 'Get the clock',
    details: '`real`: the time of the machine. `ticking`: another time, which passes. `frozen`: no time passes.',
    response: response(doc),
    example: { response: { data: shown } },
  }
}

function describePut(doc: Describer): ControlDescription {
  return {
    id: 'setSandboxClock',
    summary: 'Set the clock',
    details: 'Forward or back. What a change of the time makes due is not waited for: advance the clock for that.',
    body: bodySchema(doc, 'SetSandboxClock', { now: momentSchema, mode: modeSchema }),
    response: response(doc),
    example: { body: { now: shown.now, mode: 'frozen' }, response: { data: shown } },
  }
}

function describeAdvance(doc: Describer): ControlDescription {
  const names = ['deliveries', 'expired_keys', 'removed_jobs', 'removed_deliveries', 'removed_changes']
  const ran = doc.object(Object.fromEntries(names.map((name) => [name, countSchema])))
  return {
    id: 'advanceSandboxClock',
    summary: 'Let time pass',
    details:
      'Responds when everything that became due has run: retries of webhooks, expiry of keys, rate windows, retention.',
    body: bodySchema(
      doc,
      'AdvanceSandboxClock',
      {
        by: { type: 'string', description: 'An ISO 8601 duration in weeks, days, hours, minutes and seconds.' },
        to: momentSchema,
      },
      { minProperties: 1, maxProperties: 1 },
    ),
    response: {
      about: 'The time, and what has run.',
      schema: doc.envelope(
        'SandboxClockAdvanced',
        doc.schema('SandboxAdvance', () => doc.object({ now: momentSchema, ran })),
      ),
    },
    errors: { CONFLICT: 'The clock only advances forward.' },
    example: {
      body: { by: 'PT36H' },
      response: {
        data: {
          now: '2026-01-06T21:00:00.000Z',
          ran: { deliveries: 3, expired_keys: 1, removed_jobs: 0, removed_deliveries: 0, removed_changes: 0 },
        },
      },
    },
  }
}
