import { shown } from '../../engine/api/call/http-response.ts'
import type { Route } from '../../engine/api/call/route.ts'
import type { Describer, JsonSchema } from '../../engine/records/describe.ts'
import { timestamp } from '../../lib/clock.ts'
import type { Image } from '../image.ts'
import { controlPath } from '../instance.ts'
import { data } from '../read-members.ts'
import { sizeOf } from '../snapshots.ts'
import type { World } from '../world.ts'
import {
  type ControlDescription,
  controlRoute,
  countSchema,
  momentSchema,
  removalRoute,
  textSchema,
} from './control.ts'
import { readSnapshotName } from './images.ts'

/** Saves, lists and removes what a world can be reset to (decision I3). */
export function snapshotRoutes(world: World): Route[] {
  const one = '/snapshots/:name'
  return [
    controlRoute({
      ...{ method: 'PUT', path: one },
      run: async ({ params }) => {
        const name = readSnapshotName(params.name!)
        const isNew = !world.snapshots.has(name)
        world.snapshots.put(name, await world.instance.save())
        const saved = JSON.stringify(shownOf(name, world.snapshots.find(name)))
        return isNew
          ? { ...shown(201, saved), headers: ['Location', `${controlPath}/snapshots/${name}`] }
          : shown(200, saved)
      },
      describe: describePut,
    }),
    controlRoute({
      ...{ method: 'GET', path: '/snapshots' },
      run: () => data(world.snapshots.entries().map(([name, image]) => shownOf(name, image))),
      describe: describeList,
    }),
    controlRoute({
      ...{ method: 'GET', path: one },
      run: ({ params }) => data(shownOf(params.name!, world.snapshots.find(params.name!))),
      describe: describeGet,
    }),
    removalRoute({
      path: one,
      remove: ({ name }) => world.snapshots.remove(name!),
      id: 'deleteSandboxSnapshot',
      summary: 'Delete a snapshot',
      about: 'It is deleted.',
      schema: 'SandboxSnapshotDeleted',
      errors: none,
      params,
    }),
  ]
}

/** `now` is the world's time at the snapshot. */
function shownOf(name: string, image: Image) {
  return { name, bytes: sizeOf(image), now: timestamp(image.clock.nowMs) }
}

const example = { name: 'two-deals', bytes: 487_424, now: '2026-01-05T09:00:00.000Z' }
const params = { name: example.name }
const none = { NOT_FOUND: 'There is no such snapshot.' }

function snapshotSchema(doc: Describer): JsonSchema {
  return doc.schema('SandboxSnapshot', () => doc.object({ name: textSchema, bytes: countSchema, now: momentSchema }))
}

function describePut(doc: Describer): ControlDescription {
  const schema = doc.envelope('SandboxSnapshotSaved', snapshotSchema(doc))
  return {
    id: 'saveSandboxSnapshot',
    summary: 'Save the state of the sandbox',
    details: 'A snapshot with the same name is replaced.',
    response: { status: 201, about: 'The snapshot.', schema, tagged: true },
    existing: { about: 'The replaced snapshot.', schema },
    errors: { CONFLICT: 'There are 20 snapshots, or they would take more than 64 MiB.' },
    example: { params, response: { data: example } },
  }
}

function describeList(doc: Describer): ControlDescription {
  const list: JsonSchema = { type: 'array', items: snapshotSchema(doc) }
  return {
    id: 'listSandboxSnapshots',
    summary: 'List snapshots',
    response: { about: 'The snapshots by name.', schema: doc.envelope('SandboxSnapshotList', list) },
    example: { response: { data: [example] } },
  }
}

function describeGet(doc: Describer): ControlDescription {
  return {
    id: 'getSandboxSnapshot',
    summary: 'Get a snapshot',
    response: { about: 'The snapshot.', schema: doc.envelope('SandboxSnapshotShown', snapshotSchema(doc)) },
    errors: none,
    example: { params, response: { data: example } },
  }
}
