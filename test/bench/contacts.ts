export const jobs = 100
export const recordsPerJob = 1000

const firstNames = ['Grace', 'Ada', 'Jürgen', 'Zoë', 'Katherine', 'Łukasz', 'Mary', 'Otto', 'Anna', 'Björn']
const lastNames = ['Hopper', 'Weber', 'Müller', 'Kowalski', 'Johnson', 'Öztürk', 'Schmidt', 'Lovelace', 'Jackson']

/** The contacts of one import, each with one email and one phone. */
export function contactBodies(job: number) {
  return Array.from({ length: recordsPerJob }, (_, row) => {
    const number = job * recordsPerJob + row
    const first_name = firstNames[(number * 7) % firstNames.length]!
    const last_name = `${lastNames[(number * 5) % lastNames.length]}-${(number * 7919) % 100_003}`
    return {
      first_name,
      last_name,
      job_title: 'Purchasing',
      emails: [{ email: `${first_name}.${(number * 104_729) % 1_000_003}@customer.example`.replace(/[^\w.@]/g, 'x') }],
      phones: [{ phone_number: `+4930${String((number * 15_485_863) % 10_000_000).padStart(7, '0')}` }],
      metadata: { source: 'fair', row },
    }
  })
}
