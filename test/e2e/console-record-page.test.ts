import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutBrowser } from '../support/browser.ts'
import { type Console, chooseMore, openConsole, setTime } from '../support/console.ts'
import { make } from '../support/make.ts'
import { idle, openPage } from '../support/page.ts'

const skip = withoutBrowser

const person = (first_name: string, organization_id: string, phone: string) => ({
  first_name,
  organization_id,
  emails: [{ email: `${first_name.toLowerCase()}@meyer.example` }],
  phones: [{ phone_number: phone }],
})

async function makeDeal(api: Console['api']) {
  const organization = await make(api, 'organization', { name: 'Meyer Reisen' })
  const colleagues = Array.from({ length: 5 }, (_, n) => person(`Colleague${n}`, organization.id, `+49 89 100${n}`))
  await make(api, 'contact', ...colleagues)
  const contact = await make(api, 'contact', person('Ada', organization.id, '+49 89 123456'))
  const body = { title: 'Coaches', value: 5_000, organization_id: organization.id, contact_id: contact.id }
  return make(api, 'deal', body)
}

test('The link of an address writes to that address alone', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const email = 'ada?bcc=spy@meyer.example'
  const { id } = await make(api, 'contact', { first_name: 'Ada', emails: [{ email }] })

  await openPage(page, `/contacts/${id}`)

  const href = await page.getByRole('link', { name: email }).first().getAttribute('href')
  assert.equal(href, 'mailto:ada%3Fbcc=spy@meyer.example')
})

test('A deal shows its contact first, then others of its organization, with links that call and write', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await makeDeal(api)
  await openPage(page, `/deals/${deal.id}`)
  const people = page.getByRole('region', { name: 'People' })

  const first = people.getByRole('listitem').first()
  await first.getByRole('link', { name: 'Ada', exact: true }).waitFor()
  assert.equal(await first.getByText('+49 89 123456').getAttribute('href'), 'tel:+49 89 123456')
  assert.equal(await first.getByText('ada@meyer.example').getAttribute('href'), 'mailto:ada@meyer.example')
  assert.equal(await people.locator('.person').count(), 4)

  await people.getByRole('link', { name: 'Show all 6' }).click()
  await page.getByText('1–6 of 6').waitFor()
})

test('A deal without a contact and an organization says what to choose', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'deal', { title: 'Coaches' })
  await openPage(page, `/deals/${id}`)

  await page.getByText('Choose a contact or an organization for this deal.').waitFor()
})

test('The summary of a deal has its stages with the time in each, its values and its last activity', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { fresh: true })
  const deal = await makeDeal(api)
  const stages = (await api.get('/api-v1-stages')).body.data
  await api.patch(`/api-v1-deals/${deal.id}/stage`, { stage_id: stages[1].id })
  await api.patch(`/api-v1-deals/${deal.id}`, { value: 8_000 })
  await setTime(page, new Date(Date.now() + 12 * 86_400_000).toISOString())
  await openPage(page, `/deals/${deal.id}`)
  const summary = page.getByRole('region', { name: 'Summary' })

  await summary.getByText('€5,000 → €8,000').waitFor()
  const steps = summary.getByRole('listitem')
  assert.match(await steps.nth(0).innerText(), /^Lead 1 minute/)
  assert.match(await steps.nth(1).innerText(), /^Qualified since /)
  assert.equal(await steps.count(), 2)
  await summary.getByText('None yet').waitFor()

  await make(api, 'activity', { type: 'call', subject: 'Budget', deal_id: deal.id })
  await page.reload()
  await summary.getByText('Call ·').waitFor()
})

test('The composer is one line until it has the focus, and Escape closes it without losing the text', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await makeDeal(api)
  await openPage(page, `/deals/${id}`)
  const line = page.getByLabel('Subject')
  const text = page.getByLabel('What happened')
  await line.waitFor()
  assert.equal(await text.count(), 0)

  await line.focus()
  await text.fill('Wants 200 hampers')
  await page.keyboard.press('Escape')
  await text.waitFor({ state: 'detached' })
  await page.locator('input:focus').waitFor()
  await idle(page)
  assert.equal(await line.getAttribute('placeholder'), 'Draft: Wants 200 hampers')

  await page.reload()
  await line.click()
  await idle(page)
  assert.equal(await text.inputValue(), 'Wants 200 hampers')
  await page.getByRole('button', { name: 'Log note' }).click()
  await page.locator('.timeline').getByText('Wants 200 hampers').waitFor()
  await text.waitFor({ state: 'detached' })
})

test('The composer adds a task for the user, with its date and what the record refers to', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const deal = await makeDeal(api)
  await openPage(page, `/deals/${deal.id}`)
  await page.getByLabel('Subject').fill('Send the offer')
  await page.getByRole('button', { name: 'Task', exact: true }).click()
  await page.getByLabel('Due date (optional)', { exact: true }).fill('2027-03-28')
  await page.getByRole('button', { name: 'Add task' }).last().waitFor()
  await page.getByRole('form', { name: 'Log an activity' }).getByRole('button', { name: 'Add task' }).click()

  await page.getByRole('region', { name: 'Tasks' }).getByRole('link', { name: 'Send the offer' }).waitFor()
  const [task] = (await api.get('/api-v1-tasks?include=deal,organization,contact')).body.data
  const { user } = (await api.get('/console/session')).body.data
  assert.equal(task.assigned_to, user.id)
  assert.match(task.due_date, /^2027-03-28/)
  assert.deepEqual(
    [task.deal.title, task.organization.name, task.contact.first_name],
    ['Coaches', 'Meyer Reisen', 'Ada'],
  )
})

test('A task without a title is an error at the line, and keeps the focus there', { skip }, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await makeDeal(api)
  await openPage(page, `/deals/${id}`)
  await page.getByLabel('Subject').focus()
  await page.getByRole('button', { name: 'Task', exact: true }).click()
  const form = page.getByRole('form', { name: 'Log an activity' })
  await form.getByRole('button', { name: 'Add task' }).click()

  await form.getByText('Title is required').waitFor()
  await form.locator('input[aria-invalid="true"]:focus').waitFor()
})

test('The menu of a contact works by keyboard: it finds duplicates, exports a vCard and deletes', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'contact', { first_name: 'Ada', last_name: 'Weber' })
  await openPage(page, `/contacts/${id}`)
  const more = page.getByRole('button', { name: 'More actions' })
  await more.press('Enter')
  await page.locator('a:focus', { hasText: 'Find duplicates' }).waitFor()
  await page.keyboard.press('Escape')
  await page.locator('button:focus[aria-label="More actions"]').waitFor()

  const saved = page.waitForEvent('download')
  await chooseMore(page, 'Export vCard')
  assert.equal((await saved).suggestedFilename(), 'Ada Weber.vcf')

  await chooseMore(page, 'Delete')
  await page.getByRole('dialog', { name: 'Delete Ada Weber?' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Contact deleted.').waitFor()
})

test('On a phone, the activities come before the details, and the composer stays at the bottom', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, touch: true })
  const { id } = await makeDeal(api)
  await openPage(page, `/deals/${id}`)
  const top = async (name: string) => (await page.getByRole('region', { name }).boundingBox())!.y
  await page.getByRole('region', { name: 'People' }).getByRole('link', { name: 'Ada', exact: true }).waitFor()
  await page.getByText('Nothing logged yet').waitFor()
  assert.ok((await top('Activity')) < (await top('Details')))

  const line = page.getByLabel('Subject')
  const bottomGap = async () => {
    await idle(page)
    const { y, height } = (await line.boundingBox())!
    return Number(await page.evaluate('innerHeight')) - y - height
  }
  assert.ok((await bottomGap()) < 20)
  await page.evaluate('scrollTo(0, document.body.scrollHeight)')
  assert.ok((await bottomGap()) < 20)

  await page.evaluate(`
    Object.defineProperty(visualViewport, 'height', { value: innerHeight - 300 })
    visualViewport.dispatchEvent(new Event('resize'))`)
  assert.ok((await bottomGap()) > 300, 'it is above the keyboard')
})

test('On a phone, what is tapped on a record is at least 44 px high', { skip }, async (t) => {
  const { api, page } = await openConsole(t, { width: 360, touch: true })
  const { id } = await makeDeal(api)
  await openPage(page, `/deals/${id}`)
  await page.getByRole('region', { name: 'People' }).getByText('+49 89 123456').waitFor()
  await page.getByRole('button', { name: 'Won' }).waitFor()
  const targets = page.getByRole('main').locator('button, .ways a, .segments a, .composer input')
  for (const target of await targets.all()) {
    await idle(page)
    const box = await target.boundingBox()
    if (box) assert.ok(box.height >= 44, `${await target.innerText()}: ${box.height}`)
  }
})

test('An organization shows how to reach its contacts, and a long job title leaves space for the name', {
  skip,
}, async (t) => {
  const { api, page } = await openConsole(t)
  const { id } = await make(api, 'organization', { name: 'Meyer Reisen' })
  const job_title = 'Head of purchasing for fruit, vegetables and everything else'
  await make(api, 'contact', { ...person('Maximiliane-Alexandra', id, '+49 89 123456'), job_title })
  await openPage(page, `/organizations/${id}`)
  const contacts = page.getByRole('region', { name: 'Contacts' })

  const name = contacts.getByRole('link', { name: 'Maximiliane-Alexandra', exact: true })
  await name.waitFor()
  assert.ok((await name.boundingBox())!.width > 100)
  assert.equal(await contacts.getByText('+49 89 123456').getAttribute('href'), 'tel:+49 89 123456')
})
