import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/lib/clock.ts'
import { temporaryDirectory } from '../support/directory.ts'
import { administer, bundle, launch, run } from '../support/program.ts'
import { password, signIn, visit } from '../support/visitor.ts'

const email = 'ada@acme.example'

test('The operator replaces the lost password of the only owner by a link, while the server runs; a newer link invalidates it', async (t) => {
  const data = temporaryDirectory(t)
  const { first } = await launch(t, bundle, ['serve', '--data', data, '--port', '0'])
  const url = first.url!
  const names = { company_name: 'Acme', full_name: 'Ada Weber', email }
  const token = first.setup_url!.split('#')[1]!
  const { body: signedIn } = await visit(url).post('/console/setup', { token, ...names, password })
  const { users } = await administer(bundle, 'user', 'list', '--company', signedIn.data.company.id, '--data', data)
  const link = () => administer(bundle, 'user', 'password-link', users[0].id, '--data', data)
  const choose = (path: string) =>
    visit(url).post('/console/invitation/accept', { token: path.split('#')[1]!, password: 'another long password' })

  const replaced = await link()
  const { path } = await link()
  const outcomes = [await choose(replaced.path), await choose(path), await choose(path)]
  const former = await signIn(visit(url), email)
  const now = await signIn(visit(url), email, 'another long password')

  assert.match(path, /^\/invitation#[\w-]{43}$/)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    [404, 201, 404],
  )
  assert.deepEqual([former.status, now.status], [401, 201])
})

test('A password link has the public URL, says how long it works, and is not made for a user who does not exist', async (t) => {
  const data = temporaryDirectory(t)
  const { id: company } = await administer(bundle, 'company', 'create', '--name', 'Acme', '--data', data)
  const named = ['--company', company, '--email', email, '--name', 'Ada Weber']
  const { id } = await administer(bundle, 'user', 'create', ...named, '--data', data)
  const link = (of: string) =>
    run(bundle, ['user', 'password-link', of, '--public-url', 'https://crm.example.com/team', '--data', data])

  const from = Date.now()
  const { expires_at } = await administer(bundle, 'user', 'password-link', id, '--data', data)
  const madeAt = Date.parse(expires_at) - 7 * dayMs
  assert.ok(from <= madeAt && madeAt <= Date.now(), expires_at)
  assert.match(
    (await link(id)).stdout,
    /^Open this link to choose a new password\. It works once, within 7 days:\n\n {2}https:\/\/crm\.example\.com\/team\/invitation#[\w-]{43}\n$/,
  )
  const refused = await link(company)
  assert.deepEqual([refused.code, refused.stdout], [1, ''])
  assert.match(refused.stderr, /^kontor: User not found/)
})
