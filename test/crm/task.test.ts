import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../support/client.ts'
import { unknownId } from '../support/contract.ts'
import { type JsonRecord, make } from '../support/make.ts'
import { start } from '../support/start.ts'

const titlesOf = (records: JsonRecord[]) => records.map(({ title }) => title)

/** spec: Task, Task status */
test('Tasks', async (t) => {
  const server = await start(t)
  const { client } = await server.company('Acme')
  const now = () => new Date(server.clock.now()).toISOString()
  const url = ({ id }: JsonRecord) => `/api-v1-tasks/${id}`

  for (const status of ['pending', 'in_progress', 'cancelled']) {
    await t.test(
      `A task that is ${status} is completed by PATCH and by /complete, which set completed_at`,
      async () => {
        const byPatch = await make(client, 'task', { status })
        const byAction = await make(client, 'task', { status })
        server.clock.advance(1000)

        const responses = [
          await client.patch(url(byPatch), { status: 'completed' }),
          await client.request('PATCH', `${url(byAction)}/complete`),
        ]

        assert.deepEqual([byPatch.completed_at, byAction.completed_at], [null, null])
        for (const { status, body } of responses) {
          assert.equal(status, 200)
          assert.deepEqual(
            [body.data.status, body.data.completed_at, body.data.updated_at],
            ['completed', now(), now()],
          )
          assert.deepEqual((await client.get(url(body.data))).body, body)
        }
      },
    )

    await t.test(`PATCH /api-v1-tasks/:id: status ${status} clears completed_at`, async () => {
      const made = await make(client, 'task', { status: 'completed' })

      const { body } = await client.patch(url(made), { status })

      assert.deepEqual([body.data.status, body.data.completed_at], [status, null])
    })
  }

  await t.test('POST /api-v1-tasks: a completed task gets completed_at, whatever the body says', async () => {
    const made = await make(client, 'task', { status: 'completed', completed_at: '2001-01-01' })
    const open = await make(client, 'task', { completed_at: '2001-01-01' })

    assert.deepEqual([made.completed_at, open.completed_at], [now(), null])
  })

  await t.test('A task that is completed again gets the new time, by PATCH and by /complete', async () => {
    const made = await make(client, 'task', { status: 'completed' })
    for (const complete of [
      () => client.patch(url(made), { status: 'completed' }),
      () => client.request('PATCH', `${url(made)}/complete`),
    ]) {
      server.clock.advance(1000)

      const { body } = await complete()

      assert.equal(body.data.completed_at, now())
    }
  })

  await t.test('PATCH /api-v1-tasks/:id: completed_at stays when other fields change, and cannot be set', async () => {
    const made = await make(client, 'task', { status: 'completed' })
    server.clock.advance(1000)

    const renamed = await client.patch(url(made), { title: 'Write back', completed_at: null })
    const refused = await client.patch(url(made), { completed_at: null })

    assert.equal(renamed.body.data.completed_at, made.completed_at)
    assertError(refused, 400, 'INVALID_REQUEST', 'No fields to update')
  })

  for (const status of [null, '', ' ']) {
    await t.test(
      `PATCH /api-v1-tasks/:id: a completed task stays completed if the status is ${JSON.stringify(status)}`,
      async () => {
        const made = await make(client, 'task', { status: 'completed' })

        const response = await client.patch(url(made), { status })

        assertError(response, 400, 'VALIDATION_ERROR', undefined, ['status'])
        assert.deepEqual((await client.get(url(made))).body.data, made)
      },
    )
  }

  await t.test('PATCH /api-v1-tasks/:id/complete: an unknown or deleted task returns 404', async () => {
    const made = await make(client, 'task')
    await client.delete(url(made))

    for (const id of [made.id, unknownId, 'no-uuid']) {
      assertError(await client.request('PATCH', `${url({ id })}/complete`), 404, 'NOT_FOUND', 'Task not found')
    }
  })

  await t.test(
    '/api-v1-tasks: created_via is api, whatever the body of POST says, until a patch replaces the metadata',
    async () => {
      const made = await make(client, 'task', { metadata: { created_via: 'me', a: 1 } })

      const { body } = await client.patch(url(made), { metadata: { created_via: 'me' } })

      assert.deepEqual(made.metadata, { created_via: 'api', a: 1 })
      assert.deepEqual(body.data.metadata, { created_via: 'me' })
    },
  )

  for (const [field, message] of [
    ['status', 'Status must be one of: pending, in_progress, completed, cancelled'],
    ['priority', 'Priority must be one of: low, medium, high, urgent'],
  ] as const) {
    await t.test(`/api-v1-tasks: an unknown ${field} is refused`, async () => {
      const made = await make(client, 'task')

      const responses = [
        await client.post('/api-v1-tasks', { title: 'Call back', [field]: 'done' }),
        await client.patch(url(made), { [field]: 'done' }),
      ]

      for (const response of responses) assertError(response, 400, 'VALIDATION_ERROR', message, [field])
    })
  }

  await t.test('GET /api-v1-tasks: title finds a part of the title, title[eq] the exact title', async () => {
    const { client } = await server.company('Titles')
    for (const title of ['Call MÜLLER back', 'Call', 'Write']) await make(client, 'task', { title })
    const found = async (query: string) =>
      titlesOf((await client.get(`/api-v1-tasks?sort=title:asc&${query}`)).body.data)

    assert.deepEqual(await found('filter[title]=call'), ['Call', 'Call MÜLLER back'])
    assert.deepEqual(await found('title=müller'), ['Call MÜLLER back'])
    assert.deepEqual(await found('filter[title][like]=müller'), ['Call MÜLLER back'])
    assert.deepEqual(await found('filter[title][eq]=Call'), ['Call'])
    assert.deepEqual(await found('filter[title][eq]=call'), [])
  })

  await t.test(
    'GET /api-v1-tasks: sort is descending by default, takes several keys, and orders choices by rank',
    async () => {
      const { client } = await server.company('Sorted')
      for (const [title, priority, status] of [
        ['a', 'low', 'cancelled'],
        ['b', 'urgent', 'pending'],
        ['c', 'high', 'completed'],
        ['d', 'medium', 'in_progress'],
        ['e', 'urgent', 'completed'],
      ]) {
        await make(client, 'task', { title, priority, status })
      }
      const sorted = async (query: string) => titlesOf((await client.get(`/api-v1-tasks?${query}`)).body.data).join('')

      assert.equal(await sorted('sort=title'), 'edcba')
      assert.equal(await sorted('sort=title:asc'), 'abcde')
      assert.equal(await sorted('sort=priority,title:asc'), 'becda')
      assert.equal(await sorted('sort=priority:asc,title'), 'adceb')
      assert.equal(await sorted('sort=status:asc,title:asc'), 'bdcea')
      assert.equal(await sorted('sort=title:asc&filter[priority][gte]=high'), 'bce')
      assert.equal(await sorted('sort=title:asc&filter[priority][in]=low,medium'), 'ad')
    },
  )
})
