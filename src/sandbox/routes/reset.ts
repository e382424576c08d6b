import * as v from 'valibot'
import { logIdOf } from '../../changes/log-name.ts'
import { latestOf } from '../../changes/stored-change.ts'
import type { ApiResponse } from '../../engine/api/call/http-response.ts'
import type { Call, Route } from '../../engine/api/call/route.ts'
import type { Describer } from '../../engine/records/describe.ts'
import { timestamp } from '../../lib/clock.ts'
import { data, readMembers } from '../read-members.ts'
import type { World } from '../world.ts'
import { bodySchema, type ControlDescription, controlRoute, countSchema, momentSchema, textSchema } from './control.ts'
import { findImage, imageName } from './images.ts'

/** Resets a world (decision I2). */
export function resetRoute(world: World): Route {
  return controlRoute({
    ...{ method: 'POST', path: '/reset', takesBody: true, bodyOptional: true },
    run: (call) => reset(world, call),
    describe,
  })
}

async function reset(world: World, { body, caller }: Call): Promise<ApiResponse> {
  const { to } = readMembers(body, { to: v.optional(imageName('to'), 'start') })
  world.reset(await findImage(world, to))
  const { store, clock } = world.instance
  const seq = latestOf(store.workspace(caller.workspaceId))
  return data({ to, log_id: logIdOf(store.access, caller.workspaceId), seq, now: timestamp(clock.now()) })
}

function describe(doc: Describer): ControlDescription {
  return {
    id: 'resetSandbox',
    summary: 'Reset the sandbox',
    details:
      'Records, ids, `seq`, clock, faults, inbox and journal are as they were then. Requests in progress end in the state before. The log has another `log_id` afterwards.',
    body: bodySchema(doc, 'ResetSandbox', {
      to: { type: 'string', description: '`start` (default), `empty`, `demo`, or the name of a snapshot.' },
    }),
    response: {
      about: 'The state after the reset.',
      schema: doc.envelope(
        'SandboxState',
        doc.object({ to: textSchema, log_id: textSchema, seq: countSchema, now: momentSchema }),
      ),
    },
    errors: { NOT_FOUND: 'There is no such snapshot.' },
    example: {
      body: { to: 'start' },
      response: {
        data: { to: 'start', log_id: '6f1e2d3c4b5a6978877665544332211a', seq: 12, now: '2026-01-05T09:00:00.000Z' },
      },
    },
  }
}
