import assert from 'node:assert/strict'
import { test } from 'node:test'
import { organization } from '../../src/crm/organization.ts'
import { collection, resource } from '../../src/engine/records/define.ts'
import { reference, required } from '../../src/engine/records/kinds/fields.ts'
import { text } from '../../src/engine/records/kinds/text-kinds.ts'

const fields = { name: required(text(), 'Name is required'), owner_id: reference(organization) }
const lists = { filters: ['name', 'created_at'], sorts: ['name', 'updated_at'] } as const
const rest = { path: 'api-v1-things', scope: 'organizations', pageSize: { default: 50, max: 100 } }
const about = { summary: 'A thing.', example: { name: 'Thing' } }
const valid = { ...rest, ...lists, fields, about }
const action = { path: 'rename', id: 'renameThing', summary: 'Rename a thing', shows: {}, patch: () => ({}) }
const parts = () =>
  collection({
    table: 'thing_part',
    owner: 'thing_id',
    as: 'thing_parts',
    item: 'part',
    fields: { label: text() },
    filters: ['label'],
    complete: () => {},
    about: { first: { label: 'A' }, second: { label: 'B' }, patch: {} },
  })

// Compiled but never called: `tsc` fails if a line that is expected to be an error is none.
export const misspelled = [
  // @ts-expect-error
  () => resource('thing', { ...valid, filters: ['nmae'] }),
  // @ts-expect-error
  () => resource('thing', { ...valid, sorts: ['nmae'] }),
  // @ts-expect-error
  () => resource('thing', { ...valid, summary: ['nmae'] }),
  // @ts-expect-error
  () => resource('thing', { ...valid, unique: 'nmae' }),
  // @ts-expect-error
  () => resource('thing', { ...valid, defaultSort: '-nmae' }),
  // @ts-expect-error
  () => resource('thing', { ...valid, defaultOperators: { nmae: 'like' } }),
  // @ts-expect-error
  () => resource('thing', { ...valid, defaultOperators: { name: 'contains' } }),
  // @ts-expect-error
  () => resource('thing', { ...valid, relations: { owner: { target: organization, by: 'ownerid' } } }),
  // @ts-expect-error
  () => resource('thing', { ...valid, actions: [{ ...action, takes: 'nmae' }] }),
  // @ts-expect-error
  () => resource('thing', { ...valid, about: { ...about, example: { nmae: 'Thing' } } }),
  // @ts-expect-error
  () => resource('thing', { ...valid, about: { ...about, fields: { nmae: 'Its name.' } } }),
  // @ts-expect-error
  () => resource('thing', { ...valid, about: { ...about, patch: { nmae: 'Thing' } } }),
  () =>
    resource('thing', {
      ...valid,
      collections: { parts: parts() },
      // @ts-expect-error
      itemFilters: { label: { collection: 'part', field: 'label' } },
    }),
  () =>
    resource('thing', {
      ...valid,
      collections: { parts: parts() },
      // @ts-expect-error
      itemFilters: { label: { collection: 'parts', field: 'labl' } },
    }),
  // @ts-expect-error
  () => collection({ ...parts(), fields: { label: text() }, filters: ['labl'] }),
]

test('A definition with correctly spelled names compiles and contains these names', () => {
  const thing = resource('thing', {
    ...valid,
    summary: ['id', 'name', 'created_at'],
    unique: 'name',
    defaultSort: '-name',
    defaultOperators: { name: 'like' },
    relations: { owner: { target: organization, by: 'owner_id' } },
    actions: [{ ...action, takes: 'name' }],
    collections: { parts: parts() },
    itemFilters: { label: { collection: 'parts', field: 'label' } },
  })

  assert.deepEqual(Object.keys(thing.columns), ['name', 'owner_id', 'created_at', 'updated_at'])
  assert.deepEqual(thing.relations.owner?.fields, organization.summary)
})
