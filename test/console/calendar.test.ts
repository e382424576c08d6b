import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { hashToken } from '../../src/access/token.ts'
import { readConfig } from '../../src/config.ts'
import { pathText } from '../../src/http/request-log.ts'
import { type Server, start } from '../support/start.ts'
import { newColleague, newOwner, type Visitor } from '../support/visitor.ts'
import { until } from '../support/wait.ts'

const path = '/console/calendar'

async function begin(t: TestContext, options: Parameters<typeof start>[1] = {}) {
  const server = await start(t, options)
  const owner = await newOwner(server)
  const { user } = (await owner.get('/console/session')).body.data
  const add = async (task: object) =>
    (await owner.post('/api-v1-tasks', { assigned_to: user.id, title: 'Call', ...task })).body.data.id as string
  const day = (days: number, time = '09:00:00.000Z') =>
    `${new Date(server.clock.now() + days * 86_400_000).toISOString().slice(0, 10)}T${time}`
  return { server, owner, user, add, day }
}

async function newFeed(visitor: Visitor, time_zone = 'Europe/Berlin'): Promise<string> {
  const { status, body } = await visitor.post(path, { time_zone })
  assert.equal(status, 201)
  return body.data.path
}

async function read({ url }: Pick<Server, 'url'>, feed: string) {
  const response = await fetch(url + feed)
  return { status: response.status, headers: response.headers, text: (await response.text()).replaceAll('\r\n ', '') }
}

test('A calendar has the open tasks of its user that are due, and of nobody else', async (t) => {
  const { server, owner, add, day } = await begin(t)
  const member = await newColleague(server, 'member')
  const other = await newOwner(server)
  const id = await add({ title: 'Send the offer', description: 'For\n200 hampers; gold, red', due_date: day(2) })
  await add({ title: 'No date' })
  await add({ title: 'Done before', due_date: day(1), status: 'completed' })
  await add({ title: 'Long ago', due_date: day(-100) })
  await add({ title: 'In two years', due_date: day(730) })
  await add({ title: 'Of nobody', due_date: day(1), assigned_to: null })
  const gone = await add({ title: 'Deleted', due_date: day(1) })
  await owner.delete(`/api-v1-tasks/${gone}`)
  await owner.post('/api-v1-tasks', { title: 'Test data', due_date: day(1) }, { 'Kontor-Environment': 'test' })

  const { status, headers, text } = await read(server, await newFeed(owner))

  assert.equal(status, 200)
  assert.equal(headers.get('content-type'), 'text/calendar; method=PUBLISH; charset=utf-8')
  assert.match(headers.get('cache-control')!, /no-store/)
  assert.deepEqual(text.match(/(?<=SUMMARY:).*/g), ['Send the offer'])
  assert.match(text, new RegExp(`^BEGIN:VCALENDAR\\r\\n[^]*UID:${id}@kontor\\r\\n[^]*END:VCALENDAR\\r\\n$`))
  assert.ok(text.includes(`DTSTART:${day(2).replace(/[-:]|\.000/g, '')}`))
  assert.ok(text.includes('DESCRIPTION:For\\n200 hampers\\; gold\\, red'))
  for (const visitor of [member, other]) {
    assert.ok(!(await read(server, await newFeed(visitor))).text.includes('BEGIN:VEVENT'))
  }
})

test('A due date without a time is a whole day in the time zone of the browser that created the address', async (t) => {
  const { server, owner, add, day } = await begin(t)
  const [eve, due] = [day(3), day(4, '14:59:59.999Z')]
  await add({ due_date: due })

  const tokyo = await read(server, await newFeed(owner, 'Asia/Tokyo'))
  const berlin = await read(server, await newFeed(owner, 'Europe/Berlin'))

  assert.ok(tokyo.text.includes(`DTSTART;VALUE=DATE:${due.slice(0, 10).replaceAll('-', '')}`), eve)
  assert.ok(berlin.text.includes(`DTSTART:${due.slice(0, 10).replaceAll('-', '')}T145959Z`))
})

test('A task that is due at midnight UTC is a whole day in every time zone, and no other moment of UTC is', async (t) => {
  const { server, owner, add, day } = await begin(t)
  const at = (text: string) => text.slice(0, 10).replaceAll('-', '')
  await add({ due_date: day(3).slice(0, 10) })
  await add({ due_date: day(4, '00:00:00.001Z') })

  for (const timeZone of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
    const { text } = await read(server, await newFeed(owner, timeZone))
    assert.deepEqual(text.match(/DTSTART.*/g), [`DTSTART;VALUE=DATE:${at(day(3))}`, `DTSTART:${at(day(4))}T000000Z`])
  }
})

test('No text of a task adds a line to the calendar', async (t) => {
  const { server, owner, add, day } = await begin(t)
  const evil = 'A\r\nBEGIN:VALARM\rX:1\nY:2\u0007\u2028é'
  await add({ title: evil.replace(/[\r\n]/g, ' '), description: evil, due_date: day(1) })

  const { text } = await read(server, await newFeed(owner))

  assert.doesNotMatch(text, /^(?:BEGIN:VALARM|X:1|Y:2)/m)
  assert.ok(text.includes('DESCRIPTION:A\\nBEGIN:VALARM\\nX:1\\nY:2'))
  assert.doesNotMatch(text, /[\0-\x08\x0b\x0c\x0e-\x1f]/)
})

test('Every line of a calendar ends with CRLF and has at most 75 bytes, and no character is divided', async (t) => {
  const { server, owner, add, day } = await begin(t)
  const long = '🎄ä,;\\x\n'.repeat(80)
  await add({ title: long.replaceAll('\n', ' ').slice(0, 400), description: long, due_date: day(1) })

  const response = await fetch(server.url + (await newFeed(owner)))
  const bytes = Buffer.from(await response.arrayBuffer())

  const lines = bytes.toString('latin1').split('\r\n')
  assert.equal(lines.pop(), '')
  for (const line of lines) assert.ok(line.length <= 75 && !/[\r\n]/.test(line), line)
  const divided = lines.filter((line) => Buffer.from(line, 'latin1').toString().includes('\ufffd'))
  assert.deepEqual(divided, [])
})

test('An unknown, replaced or revoked address, and that of a deactivated user, are 404 with the same text', async (t) => {
  const { server, owner } = await begin(t)
  const member = await newColleague(server, 'member')
  const { user } = (await member.get('/console/session')).body.data
  const replaced = await newFeed(owner)
  const revoked = await newFeed(owner)
  assert.equal((await read(server, revoked)).status, 200)
  assert.equal((await owner.delete(path)).status, 200)
  assert.equal((await owner.delete(path)).status, 404)
  assert.equal((await owner.get(path)).body.data, null)
  const deactivated = await newFeed(member)
  await owner.patch(`/console/users/${user.id}`, { is_active: false })

  const paths = ['/calendar/cal_unknown/tasks.ics', replaced, revoked, deactivated]
  const responses = await Promise.all(paths.map((each) => read(server, each)))
  await owner.patch(`/console/users/${user.id}`, { is_active: true })
  responses.push(await read(server, deactivated))

  for (const { status, text } of responses) {
    assert.equal(status, 404)
    assert.equal(JSON.parse(text).error.message, 'There is no calendar at this address')
  }
})

test('The address is shown once: neither a later response, nor a file, nor the log has its token', async (t) => {
  const { server, owner } = await begin(t)
  const feed = await newFeed(owner)
  const token = feed.split('/')[2]!

  const { body } = await owner.get(path)

  assert.deepEqual(Object.keys(body.data).toSorted(), ['created_at', 'time_zone'])
  const files = readdirSync(server.directory).map((name) => readFileSync(join(server.directory, name)))
  const all = Buffer.concat(files)
  assert.ok(all.includes(hashToken(token)), 'the files that are looked into are those that are written')
  assert.ok(!all.includes(token))
  for (const logged of [feed, feed.replace('cal_', '%63al_'), `/x${feed}`]) {
    assert.ok(!pathText(logged).includes(token.slice(4)), pathText(logged))
  }
})

test('Only a signed-in user creates an address, and only with a time zone that exists', async (t) => {
  const { server, owner } = await begin(t)
  for (const time_zone of ['Mars/Olympus', '+02:00', '', null, 7, 'x'.repeat(1_000)]) {
    const { status, body } = await owner.post(path, { time_zone })
    assert.deepEqual([status, body.error.details[0].field], [400, 'time_zone'], String(time_zone))
  }
  assert.equal((await fetch(`${server.url}${path}`, { method: 'POST' })).ok, false)
})

test('More than ten requests a minute for one address get 429; another address is not affected', async (t) => {
  const { server, owner } = await begin(t, { rateLimits: 'plan' })
  const member = await newColleague(server, 'member')
  const [one, other] = [await newFeed(owner), await newFeed(member)]

  const statuses: number[] = []
  for (let n = 0; n < 11; n++) statuses.push((await read(server, one)).status)

  assert.deepEqual([statuses.filter((each) => each === 200).length, statuses.at(-1)], [10, 429])
  assert.equal((await read(server, other)).status, 200)
})

test('Below a public URL, the calendar is served with and without its path, and events link to their tasks', async (t) => {
  const { publicUrl } = readConfig(['publicUrl'], { publicUrl: 'https://crm.example.com/sales' }, {})
  const { server, owner, add, day } = await begin(t, { limits: { publicUrl } })
  const id = await add({ due_date: day(1) })
  const feed = await newFeed(owner)

  for (const prefix of ['', '/sales']) {
    const { status, text } = await read(server, prefix + feed)
    assert.equal(status, 200)
    assert.ok(text.includes(`https://crm.example.com/sales/tasks/${id}`))
  }
})

test('A calendar has at most 1,000 tasks, and other methods than GET and HEAD are 405', async (t) => {
  const { server, owner, day } = await begin(t)
  const { user } = (await owner.get('/console/session')).body.data
  const feed = await newFeed(owner)
  for (const method of ['POST', 'DELETE']) assert.equal((await fetch(server.url + feed, { method })).status, 405)
  const head = await fetch(server.url + feed, { method: 'HEAD' })
  assert.deepEqual([head.status, await head.text()], [200, ''])
  const records = Array.from({ length: 1_001 }, (_, n) => ({
    title: `Task ${n}`,
    due_date: day(1),
    assigned_to: user.id,
  }))
  for (const half of [records.slice(0, 500), records.slice(500, 1_000), records.slice(1_000)]) {
    const { status, body } = await owner.post('/api-v1-bulk/tasks', { records: half })
    assert.equal(status, 202, JSON.stringify(body))
    const job = async () => (await owner.get(`/api-v1-bulk/jobs/${body.data.job_id}`)).body.data
    await until('the import has ended', job, { is: (each) => each.status === 'completed' })
  }

  assert.equal((await read(server, feed)).text.match(/BEGIN:VEVENT/g)!.length, 1_000)
})
