import { test } from 'node:test'
import { temporaryDirectory } from '../support/directory.ts'
import { outages, surviveOutages } from '../support/outages.ts'

for (const outage of outages) {
  test(`A ${outage} amid concurrent writes loses nothing that was acknowledged`, async (t) => {
    await surviveOutages(t, temporaryDirectory(t), { rounds: [outage, outage, outage], writesPerRound: 200, seed: 7 })
  })
}
