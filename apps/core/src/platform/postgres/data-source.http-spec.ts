import { createEmptyDatabase } from '@strata/testkit';
import pg from 'pg';
import { ownerDataSource, poolOf } from './data-source.ts';

it('finds the pg pool in the driver of TypeORM', async () => {
  const database = await createEmptyDatabase();
  const dataSource = await ownerDataSource(database.url).initialize();
  try {
    expect(poolOf(dataSource)).toBeInstanceOf(pg.Pool);
  } finally {
    await dataSource.destroy();
    await database.drop();
  }
});
