import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../src/engine/records/define.ts'
import { assertError, type Client } from '../support/client.ts'
import {
  clear,
  fieldsOf,
  filtersByCreation,
  idsOf,
  isCompanyWide,
  offers,
  patchedOf,
  tested,
  touch,
} from '../support/contract.ts'
import { bodyFor, type JsonRecord, make } from '../support/make.ts'
import { type Server, start } from '../support/start.ts'
import { withoutMaximum } from './without-maximum.ts'

withoutMaximum()

interface Tenant {
  name: string
  company: string
  client: Client
}

/** Two companies with two workspaces each. */
async function tenants(server: Server): Promise<Tenant[]> {
  const made: Tenant[] = []
  for (const name of ['Acme', 'Globex']) {
    const company = await server.company(name)
    made.push({ name: `${name} live`, company: name, client: company.client })
    made.push({ name: `${name} test`, company: name, client: await company.key({ environment: 'test' }) })
  }
  return made
}

/** Whether a record of the owner is hidden from the viewer; a test key sees test keys only (decision A12). */
function areApart(resource: Resource, owner: Tenant, viewer: Tenant): boolean {
  if (!isCompanyWide(resource) || owner.company !== viewer.company) return true
  return resource.name === 'api_key' && owner.name.endsWith('live') && viewer.name.endsWith('test')
}

for (const resource of tested) {
  const { path, label } = resource

  test(`Tenancy of ${path}`, async (t) => {
    const server = await start(t)
    const all = await tenants(server)
    const records = new Map<Tenant, JsonRecord>()
    const staying = new Map<Tenant, string[]>()
    for (const tenant of all) {
      staying.set(tenant, offers(resource, 'DELETE') ? await clear(tenant.client, resource) : [])
    }
    for (const tenant of all) records.set(tenant, await make(tenant.client, resource.name))
    const pairs = all.flatMap((owner) => all.filter((other) => other !== owner).map((other) => ({ owner, other })))

    for (const { owner, other } of pairs) {
      const { client } = other
      const url = `/${path}/${records.get(owner)!.id}`

      if (areApart(resource, owner, other))
        await t.test(`/${path}: ${other.name} cannot see or change a record of ${owner.name}`, async () => {
          const responses = [await client.get(url)]
          if (offers(resource, 'PATCH')) responses.push(await client.patch(url, touch(resource).valid))
          if (offers(resource, 'DELETE')) responses.push(await client.delete(url))

          for (const response of responses) assertError(response, 404, 'NOT_FOUND', `${label} not found`)
          assert.deepEqual((await owner.client.get(url)).body.data, records.get(owner))
        })

      for (const { name, target } of fieldsOf(resource).filter(
        ({ target }) => target && areApart(target, owner, other),
      )) {
        await t.test(`/${path}: ${other.name} cannot refer to a ${name} of ${owner.name}`, async () => {
          const others = await make(owner.client, target!.name)
          const mine = records.get(other)!

          const body = await bodyFor(client, resource, { [name]: others.id })
          const responses = offers(resource, 'POST') ? [await client.post(`/${path}`, body)] : []
          if (offers(resource, 'PATCH') && patchedOf(resource).some((field) => field.name === name))
            responses.push(await client.patch(`/${path}/${mine.id}`, { [name]: others.id }))

          for (const response of responses) assertError(response, 400, 'VALIDATION_ERROR', undefined, [name])
          assert.deepEqual((await client.get(`/${path}/${mine.id}`)).body.data, mine)
        })
      }
    }

    for (const tenant of all) {
      await t.test(`GET /${path}: ${tenant.name} lists and counts its own records`, async () => {
        const seen = all.filter((other) => other === tenant || !areApart(resource, other, tenant))
        const keys = resource.name === 'api_key' ? seen.map(({ client }) => client.keyId) : []
        const others = [...keys, ...seen.flatMap((each) => staying.get(each)!)]
        const own = [...idsOf(seen.map((each) => records.get(each)!)), ...others].sort()
        const time = filtersByCreation(resource) ? ['?created_at[gte]=2000-01-01'] : []
        for (const query of ['', '?page=1', ...time, `?sort=-${resource.sorts[0]}`]) {
          const { body } = await tenant.client.get(`/${path}${query}`)

          assert.deepEqual(idsOf(body.data).sort(), own, query)
          assert.equal(body.pagination.total, own.length, query)
        }
      })
    }

    for (const { name, target } of fieldsOf(resource).filter(
      (each) => each.target && resource.filters.includes(each.name),
    )) {
      await t.test(`GET /${path}: filtering by the ${name} of another workspace finds nothing`, async () => {
        const owner = all[0]!
        const other = all.find((each) => each !== owner && areApart(resource, owner, each))!
        const others = await make(owner.client, target!.name)
        await make(owner.client, resource.name, { [name]: others.id })

        const { body } = await other.client.get(`/${path}?${name}=${others.id}`)

        assert.deepEqual([body.data, body.pagination.total], [[], 0])
      })
    }
  })
}
