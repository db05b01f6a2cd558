import { Module } from '@nestjs/common';
import { EffectiveModule } from '../effective/effective.module.ts';
import { SnapshotModule } from '../snapshot/snapshot.module.ts';
import { TemplatingModule } from '../templating/templating.module.ts';
import { SearchController } from './search.controller.ts';
import { Search } from './search.ts';
import { SearchCells } from './search-cells.ts';

/** Searches effective texts in all projects and environments that the caller may read. */
@Module({
  imports: [EffectiveModule, SnapshotModule, TemplatingModule],
  controllers: [SearchController],
  providers: [Search, SearchCells],
})
export class SearchModule {}
