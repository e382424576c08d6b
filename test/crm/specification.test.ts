import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src/engine/records/define.ts'
import { resources as all } from '../../src/features/index.ts'
import { createdMetadata, isCompanyWide } from '../support/contract.ts'

// The contract tests take these facts from the definitions. The specification names the resources that they are true of.

const specified = ['organization', 'contact', 'deal', 'stage', 'task', 'activity', 'user', 'api_key']
const resources = all.filter(({ name }) => specified.includes(name))

const namesOf = (holds: (resource: Resource) => boolean): string[] => resources.filter(holds).map(({ name }) => name)

test('Filters of tasks and activities are documented as filter[name] (decision C5)', () => {
  assert.deepEqual(
    namesOf(({ nestsFilters }) => nestsFilters),
    ['task', 'activity'],
  )
})

test('Tasks and activities sort descending if a sort key names no direction (decision C5)', () => {
  assert.deepEqual(
    namesOf(({ sortDirection }) => sortDirection === 'desc'),
    ['task', 'activity'],
  )
})

test('Stages are listed by position, all other records newest first (decision C4)', () => {
  const sorts = resources.filter(({ defaultSort }) => defaultSort).map(({ name, defaultSort }) => [name, defaultSort])

  assert.deepEqual(sorts, [['stage', 'position']])
})

test('A filter by the title of a task means like, every other filter eq (decision C6)', () => {
  const operators = resources.flatMap(({ name, defaultOperators }) => {
    return Object.entries(defaultOperators).map(([field, operator]) => [name, field, operator])
  })

  assert.deepEqual(operators, [['task', 'title', 'like']])
})

test('New tasks and activities have created_via in their metadata (decision D10)', () => {
  assert.deepEqual(
    namesOf((resource) => 'created_via' in (createdMetadata(resource) as object)),
    ['task', 'activity'],
  )
})

test('Users and API keys belong to a company, all other records to a workspace (decision A2)', () => {
  assert.deepEqual(namesOf(isCompanyWide), ['user', 'api_key'])
})

test('Descriptions hold 100,000 characters, every other text 500 (decision B7)', () => {
  for (const { name, fields } of resources) {
    for (const field of Object.values(fields).filter(({ kind }) => kind === 'text')) {
      assert.equal(field.shape.maxLength, field.name === 'description' ? 100_000 : 500, `${name}.${field.name}`)
    }
  }
})

test('The message for an unknown stage is that of the specification', () => {
  const messages = resources.flatMap(({ fields }) =>
    Object.values(fields).flatMap(({ target, missing }) => (target?.name === 'stage' ? [missing] : [])),
  )

  assert.deepEqual(messages, ['Invalid stage'])
})

test('Each resource takes the scopes of its name, stages those of deals (spec: Scopes; decisions E1, E2, E5)', () => {
  assert.deepEqual(Object.fromEntries(resources.map(({ path, scopes }) => [path, [scopes.read, scopes.write]])), {
    'api-v1-organizations': ['read:organizations', 'write:organizations'],
    'api-v1-contacts': ['read:contacts', 'write:contacts'],
    'api-v1-deals': ['read:deals', 'write:deals'],
    'api-v1-stages': ['read:deals', 'write:deals'],
    'api-v1-tasks': ['read:tasks', 'write:tasks'],
    'api-v1-activities': ['read:activities', 'write:activities'],
    'api-v1-users': ['read:any', 'admin:all'],
    'api-v1-keys': ['admin:all', 'admin:all'],
  })
})
