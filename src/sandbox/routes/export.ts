import { findWorkspaceId } from '../../access/company.ts'
import type { Route } from '../../engine/api/call/route.ts'
import type { Describer } from '../../engine/records/describe.ts'
import { exportSeed } from '../seed/export.ts'
import { seeded } from '../seed/resources.ts'
import type { World } from '../world.ts'
import { type ControlDescription, controlRoute } from './control.ts'

/** Returns a seed file (decision I4). */
export function exportRoute(world: World): Route {
  return controlRoute({
    ...{ method: 'GET', path: '/export' },
    run({ reader, access, caller }) {
      const { clock, contents, store } = world.instance
      const live = store.workspace(findWorkspaceId(access, caller.companyId, 'live'), { view: caller.viewer })
      return { status: 200, body: JSON.stringify(exportSeed(reader, live, clock.state, contents.kept)) }
    },
    describe,
  })
}

function describe(doc: Describer): ControlDescription {
  return {
    id: 'exportSandbox',
    summary: 'Export the records',
    details:
      'A file for `kontor sandbox --seed`: users and records as bodies that create them, with their ids and times, without keys, passwords, secrets, deleted records and the history.',
    response: {
      about: 'The seed file.',
      schema: doc.schema('SandboxSeed', () => ({ type: 'object', additionalProperties: true })),
    },
    example: {
      response: {
        clock: { mode: 'frozen', now: '2026-01-05T09:00:00.000Z' },
        organizations: [doc.exampleRecord(seeded.organizations!)],
      },
    },
  }
}
