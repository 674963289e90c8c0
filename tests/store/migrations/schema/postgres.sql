create table "agent_limits" (
  "environment" text collate "C" not null,
  "access" text not null,
  constraint "agent_limits_environment_fkey" FOREIGN KEY (environment) REFERENCES environments(name) ON DELETE CASCADE,
  constraint "agent_limits_pkey" PRIMARY KEY (environment)
);

create table "agent_writes" (
  "id" integer generated always as identity not null,
  "token_id" integer not null,
  "user_id" integer not null,
  "tool" text not null,
  "outcome" text not null,
  "project" text collate "C" not null,
  "environment" text collate "C",
  "feature_name" text collate "C" not null,
  "client_name" text not null,
  "client_version" text not null,
  "created_at" bigint not null,
  constraint "agent_writes_pkey" PRIMARY KEY (id)
);
CREATE INDEX agent_writes_by_time ON agent_writes USING btree (created_at);
CREATE INDEX agent_writes_by_token ON agent_writes USING btree (token_id, created_at);

create table "api_token_aliases" (
  "hash" text collate "C" not null,
  "token_id" text collate "C" not null,
  constraint "api_token_aliases_pkey" PRIMARY KEY (hash),
  constraint "api_token_aliases_token_id_fkey" FOREIGN KEY (token_id) REFERENCES api_tokens(id) ON DELETE CASCADE
);
CREATE INDEX token_aliases_by_token ON api_token_aliases USING btree (token_id);

create table "api_token_callers" (
  "token_id" text collate "C" not null,
  "app_name" text,
  "instance_id" text,
  "sdk_version" text,
  "seen_at" bigint not null,
  constraint "api_token_callers_pkey" PRIMARY KEY (token_id),
  constraint "api_token_callers_token_id_fkey" FOREIGN KEY (token_id) REFERENCES api_tokens(id) ON DELETE CASCADE
);

create table "api_token_projects" (
  "token_id" text collate "C" not null,
  "project" text collate "C" not null,
  constraint "api_token_projects_key" PRIMARY KEY (token_id, project),
  constraint "api_token_projects_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE,
  constraint "api_token_projects_token_id_fkey" FOREIGN KEY (token_id) REFERENCES api_tokens(id) ON DELETE CASCADE
);

create table "api_token_secrets" (
  "token_id" text collate "C" not null,
  "sealed" text not null,
  constraint "api_token_secrets_pkey" PRIMARY KEY (token_id),
  constraint "api_token_secrets_token_id_fkey" FOREIGN KEY (token_id) REFERENCES api_tokens(id) ON DELETE CASCADE
);

create table "api_tokens" (
  "id" text collate "C" not null,
  "hash" text collate "C" not null,
  "masked" text not null,
  "name" text not null,
  "type" text not null,
  "environment" text collate "C" not null,
  "all_projects" smallint not null,
  "expires_at" bigint,
  "created_at" bigint not null,
  "seen_at" bigint,
  constraint "api_tokens_hash_key" UNIQUE (hash),
  constraint "api_tokens_pkey" PRIMARY KEY (id)
);

create table "change_marks" (
  "name" text collate "C" not null,
  "revision" bigint not null,
  constraint "change_marks_pkey" PRIMARY KEY (name)
);

create table "change_request_approvers" (
  "request_id" integer not null,
  "user_id" integer not null,
  constraint "change_request_approvers_key" PRIMARY KEY (request_id, user_id),
  constraint "change_request_approvers_request_id_fkey" FOREIGN KEY (request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint "change_request_approvers_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "change_request_changes" (
  "id" integer generated always as identity not null,
  "request_id" integer not null,
  "feature_name" text collate "C",
  "segment_id" integer,
  "segment_name" text,
  "action" text collate "C" not null,
  "payload" text not null,
  "base" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  constraint "change_request_changes_pkey" PRIMARY KEY (id),
  constraint "change_request_changes_request_id_fkey" FOREIGN KEY (request_id) REFERENCES change_requests(id) ON DELETE CASCADE
);
CREATE INDEX change_request_changes_by_feature ON change_request_changes USING btree (feature_name);
CREATE INDEX change_request_changes_of ON change_request_changes USING btree (request_id, id);

create table "change_request_comments" (
  "id" integer generated always as identity not null,
  "request_id" integer not null,
  "text" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  constraint "change_request_comments_pkey" PRIMARY KEY (id),
  constraint "change_request_comments_request_id_fkey" FOREIGN KEY (request_id) REFERENCES change_requests(id) ON DELETE CASCADE
);
CREATE INDEX change_request_comments_of ON change_request_comments USING btree (request_id, id);

create table "change_request_opinions" (
  "request_id" integer not null,
  "user_id" integer not null,
  "opinion" text collate "C" not null,
  "created_at" bigint not null,
  constraint "change_request_opinions_key" PRIMARY KEY (request_id, user_id),
  constraint "change_request_opinions_request_id_fkey" FOREIGN KEY (request_id) REFERENCES change_requests(id) ON DELETE CASCADE,
  constraint "change_request_opinions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "change_request_settings" (
  "project" text collate "C" not null,
  "environment" text collate "C" not null,
  "enabled" smallint not null,
  "required_approvals" integer not null,
  constraint "change_request_settings_environment_fkey" FOREIGN KEY (environment) REFERENCES environments(name) ON DELETE CASCADE,
  constraint "change_request_settings_key" PRIMARY KEY (project, environment),
  constraint "change_request_settings_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE
);

create table "change_requests" (
  "id" integer generated always as identity not null,
  "project" text collate "C" not null,
  "environment" text collate "C" not null,
  "title" text not null,
  "state" text collate "C" not null,
  "state_times" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "scheduled_at" bigint,
  "scheduled_by_user_id" integer,
  "schedule_status" text collate "C",
  "schedule_reason" text,
  "from_files" smallint,
  constraint "change_requests_pkey" PRIMARY KEY (id),
  constraint "change_requests_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX change_requests_by_maker ON change_requests USING btree (created_by_user_id, id);
CREATE INDEX change_requests_by_schedule ON change_requests USING btree (schedule_status, scheduled_at);
CREATE INDEX change_requests_by_state ON change_requests USING btree (state, id);
CREATE INDEX change_requests_of_project ON change_requests USING btree (project, state, id);

create table "client_application_reach" (
  "app_name" text collate "C" not null,
  "project" text collate "C" not null,
  "environment" text collate "C" not null,
  constraint "client_application_reach_app_name_fkey" FOREIGN KEY (app_name) REFERENCES client_applications(app_name) ON DELETE CASCADE,
  constraint "client_application_reach_key" PRIMARY KEY (app_name, project, environment)
);

create table "client_applications" (
  "app_name" text collate "C" not null,
  "strategies" text not null,
  "first_seen_at" bigint not null,
  "last_seen_at" bigint not null,
  "description" text,
  "url" text,
  "color" text,
  "icon" text,
  "by_public_token" smallint default 0 not null,
  constraint "client_applications_pkey" PRIMARY KEY (app_name)
);

create table "client_instance_projects" (
  "app_name" text collate "C" not null,
  "instance_id" text collate "C" not null,
  "environment" text collate "C" not null,
  "project" text collate "C" not null,
  constraint "client_instance_projects_key" PRIMARY KEY (app_name, instance_id, environment, project),
  constraint "client_instance_projects_of" FOREIGN KEY (app_name, instance_id, environment) REFERENCES client_instances(app_name, instance_id, environment) ON DELETE CASCADE
);

create table "client_instances" (
  "app_name" text collate "C" not null,
  "instance_id" text collate "C" not null,
  "environment" text collate "C" not null,
  "sdk_version" text,
  "address" text,
  "last_seen_at" bigint not null,
  "by_public_token" smallint default 0 not null,
  "first_seen_at" bigint,
  constraint "client_instances_key" PRIMARY KEY (app_name, instance_id, environment)
);

create table "client_metrics" (
  "environment" text collate "C" not null,
  "app_name" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "hour" bigint not null,
  "yes" bigint not null,
  "no" bigint not null,
  constraint "client_metrics_key" PRIMARY KEY (feature_name, hour, environment, app_name)
);
CREATE INDEX client_metrics_by_app ON client_metrics USING btree (app_name, environment, hour);
CREATE INDEX client_metrics_by_hour ON client_metrics USING btree (hour);

create table "client_metrics_variants" (
  "environment" text collate "C" not null,
  "app_name" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "hour" bigint not null,
  "variant" text collate "C" not null,
  "count" bigint not null,
  constraint "client_metrics_variants_key" PRIMARY KEY (feature_name, hour, environment, app_name, variant)
);
CREATE INDEX client_metrics_variants_by_hour ON client_metrics_variants USING btree (hour);

create table "code_branches" (
  "repository" text collate "C" not null,
  "branch" text collate "C" not null,
  "head" text not null,
  "synced_at" bigint not null,
  "committed_at" bigint,
  constraint "code_branches_key" PRIMARY KEY (repository, branch),
  constraint "code_branches_repository_fkey" FOREIGN KEY (repository) REFERENCES code_repositories(name) ON DELETE CASCADE
);

create table "code_extinctions" (
  "repository" text collate "C" not null,
  "branch" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "revision" text not null,
  "message" text not null,
  "removed_at" bigint not null,
  constraint "code_extinctions_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "code_extinctions_key" PRIMARY KEY (repository, feature_name),
  constraint "code_extinctions_repository_fkey" FOREIGN KEY (repository) REFERENCES code_repositories(name) ON DELETE CASCADE
);
CREATE INDEX code_extinctions_by_flag ON code_extinctions USING btree (feature_name);

create table "code_references" (
  "repository" text collate "C" not null,
  "branch" text collate "C" not null,
  "project" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "reference_count" integer not null,
  "places" text not null,
  constraint "code_references_key" PRIMARY KEY (repository, branch, project, feature_name),
  constraint "code_references_scan" FOREIGN KEY (repository, branch, project) REFERENCES code_scans(repository, branch, project) ON DELETE CASCADE
);
CREATE INDEX code_references_by_flag ON code_references USING btree (feature_name, project);

create table "code_repositories" (
  "name" text collate "C" not null,
  "type" text not null,
  "source_link" text not null,
  "commit_url_template" text not null,
  "hunk_url_template" text not null,
  "default_branch" text collate "C" not null,
  "created_at" bigint not null,
  constraint "code_repositories_pkey" PRIMARY KEY (name)
);

create table "code_scans" (
  "repository" text collate "C" not null,
  "branch" text collate "C" not null,
  "project" text collate "C" not null,
  "head" text not null,
  "update_sequence_id" bigint,
  constraint "code_scans_branch" FOREIGN KEY (repository, branch) REFERENCES code_branches(repository, branch) ON DELETE CASCADE,
  constraint "code_scans_key" PRIMARY KEY (repository, branch, project),
  constraint "code_scans_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX code_scans_by_project ON code_scans USING btree (project);

create table "config_origins" (
  "project" text collate "C" not null,
  "kind" text collate "C" not null,
  "name" text collate "C" not null,
  "feature_name" text collate "C",
  "repository" text not null,
  "commit_id" text not null,
  "path" text not null,
  "applied_at" bigint not null,
  "drifted_at" bigint,
  constraint "config_origins_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "config_origins_key" PRIMARY KEY (project, kind, name),
  constraint "config_origins_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE
);
CREATE INDEX config_origins_by_flag ON config_origins USING btree (feature_name);

create table "context_fields" (
  "name" text collate "C" not null,
  "description" text,
  "stickiness" smallint default 0 not null,
  "sort_order" integer not null,
  "legal_values" text not null,
  "created_at" bigint not null,
  constraint "context_fields_pkey" PRIMARY KEY (name)
);

create table "database_epoch" (
  "epoch" text collate "C" not null,
  "origin" text,
  "begun_at" bigint,
  constraint "database_epoch_pkey" PRIMARY KEY (epoch)
);

create table "environments" (
  "name" text collate "C" not null,
  "type" text not null,
  "sort_order" integer not null,
  "enabled" smallint not null,
  "protected" smallint not null,
  constraint "environments_pkey" PRIMARY KEY (name)
);

create table "event_search_blocks" (
  "block" integer not null,
  "events" integer not null,
  constraint "event_search_blocks_pkey" PRIMARY KEY (block)
);

create table "event_search_postings" (
  "key" integer not null,
  "postings" text not null,
  constraint "event_search_postings_pkey" PRIMARY KEY (key)
);

create table "events" (
  "id" integer generated always as identity not null,
  "created_at" bigint not null,
  "type" text not null,
  "created_by" text not null,
  "created_by_user_id" integer not null,
  "project" text collate "C",
  "environment" text collate "C",
  "feature_name" text collate "C",
  "data" text,
  "pre_data" text,
  "tags" text not null,
  "reach" text collate "C",
  "address" text,
  "undo" text,
  "agent" text,
  constraint "events_pkey" PRIMARY KEY (id)
);
CREATE INDEX events_by_agent ON events USING btree (id) WHERE (agent IS NOT NULL);
CREATE INDEX events_by_author ON events USING btree (created_by, id);
CREATE INDEX events_by_environment ON events USING btree (environment, id);
CREATE INDEX events_by_environment_and_type ON events USING btree (environment, type);
CREATE INDEX events_by_feature ON events USING btree (feature_name, id);
CREATE INDEX events_by_project ON events USING btree (project, id);
CREATE INDEX events_by_project_and_type ON events USING btree (project, type, created_at, feature_name, environment);
CREATE INDEX events_by_reach ON events USING btree (reach, id);
CREATE INDEX events_by_time ON events USING brin (created_at) WITH (pages_per_range='32');
CREATE INDEX events_by_type ON events USING btree (type, id);
CREATE INDEX events_by_user ON events USING btree (created_by_user_id, id);

create table "feature_comments" (
  "id" integer generated always as identity not null,
  "feature_name" text collate "C" not null,
  "text" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "edited_at" bigint,
  constraint "feature_comments_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_comments_pkey" PRIMARY KEY (id)
);
CREATE INDEX feature_comments_of ON feature_comments USING btree (feature_name, id);

create table "feature_dependencies" (
  "child" text collate "C" not null,
  "parent" text collate "C" not null,
  "enabled" smallint not null,
  "variants" text not null,
  constraint "feature_dependencies_child_fkey" FOREIGN KEY (child) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_dependencies_key" PRIMARY KEY (child, parent),
  constraint "feature_dependencies_parent_fkey" FOREIGN KEY (parent) REFERENCES features(name)
);
CREATE INDEX dependencies_by_parent ON feature_dependencies USING btree (parent);

create table "feature_environments" (
  "feature_name" text collate "C" not null,
  "environment" text collate "C" not null,
  "enabled" smallint default 0 not null,
  "variants" text not null,
  "last_seen_at" bigint,
  constraint "feature_environments_environment_fkey" FOREIGN KEY (environment) REFERENCES environments(name) ON DELETE CASCADE,
  constraint "feature_environments_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_environments_key" PRIMARY KEY (feature_name, environment)
);

create table "feature_favorites" (
  "user_id" integer not null,
  "feature_name" text collate "C" not null,
  constraint "feature_favorites_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_favorites_key" PRIMARY KEY (user_id, feature_name),
  constraint "feature_favorites_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX feature_favorites_of ON feature_favorites USING btree (feature_name);

create table "feature_links" (
  "id" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "url" text not null,
  "title" text,
  "sort_order" integer not null,
  constraint "feature_links_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_links_pkey" PRIMARY KEY (id)
);
CREATE INDEX feature_links_of ON feature_links USING btree (feature_name);

create table "feature_snoozes" (
  "feature_name" text collate "C" not null,
  "until" bigint not null,
  "created_by" text not null,
  constraint "feature_snoozes_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_snoozes_pkey" PRIMARY KEY (feature_name)
);

create table "feature_stages" (
  "feature_name" text collate "C" not null,
  "stage" text collate "C" not null,
  "entered_at" bigint not null,
  "status" text,
  "status_value" text,
  constraint "feature_stages_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_stages_key" PRIMARY KEY (feature_name, stage)
);

create table "feature_strategies" (
  "id" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "environment" text collate "C" not null,
  "name" text not null,
  "title" text,
  "disabled" smallint default 0 not null,
  "parameters" text not null,
  "constraints" text not null,
  "variants" text not null,
  "sort_order" integer not null,
  "created_at" bigint not null,
  constraint "feature_strategies_environment" FOREIGN KEY (feature_name, environment) REFERENCES feature_environments(feature_name, environment) ON DELETE CASCADE,
  constraint "feature_strategies_pkey" PRIMARY KEY (id)
);
CREATE INDEX strategies_by_environment ON feature_strategies USING btree (feature_name, environment);

create table "feature_strategy_segments" (
  "strategy_id" text collate "C" not null,
  "segment_id" integer not null,
  constraint "feature_strategy_segments_key" PRIMARY KEY (strategy_id, segment_id),
  constraint "feature_strategy_segments_segment_id_fkey" FOREIGN KEY (segment_id) REFERENCES segments(id),
  constraint "feature_strategy_segments_strategy_id_fkey" FOREIGN KEY (strategy_id) REFERENCES feature_strategies(id) ON DELETE CASCADE
);
CREATE INDEX strategies_by_segment ON feature_strategy_segments USING btree (segment_id);

create table "feature_tags" (
  "feature_name" text collate "C" not null,
  "type" text collate "C" not null,
  "value" text collate "C" not null,
  constraint "feature_tags_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_tags_key" PRIMARY KEY (feature_name, type, value),
  constraint "feature_tags_tag" FOREIGN KEY (type, value) REFERENCES tags(type, value) ON DELETE CASCADE
);

create table "feature_types" (
  "id" text collate "C" not null,
  "name" text not null,
  "description" text not null,
  "lifetime_days" integer,
  "sort_order" integer not null,
  constraint "feature_types_pkey" PRIMARY KEY (id)
);

create table "feature_values" (
  "feature_name" text collate "C" not null,
  "value_type" text collate "C" not null,
  "default_value" text not null,
  constraint "feature_values_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "feature_values_pkey" PRIMARY KEY (feature_name)
);

create table "features" (
  "name" text collate "C" not null,
  "project" text collate "C" not null,
  "type" text not null,
  "description" text,
  "stale" smallint default 0 not null,
  "impression_data" smallint default 0 not null,
  "created_at" bigint not null,
  "archived_at" bigint,
  "last_seen_at" bigint,
  "potentially_stale" smallint default 0 not null,
  "created_by" text,
  "created_by_user_id" integer,
  constraint "features_pkey" PRIMARY KEY (name),
  constraint "features_project_fkey" FOREIGN KEY (project) REFERENCES projects(id)
);
CREATE INDEX features_by_maker ON features USING btree (created_by_user_id);
CREATE INDEX features_by_project ON features USING btree (project);

create table "feedback" (
  "user_id" integer not null,
  "feedback_id" text collate "C" not null,
  "never_show" smallint default 0 not null,
  "given" bigint,
  constraint "feedback_key" PRIMARY KEY (user_id, feedback_id),
  constraint "feedback_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "flag_presences" (
  "user_id" integer not null,
  "feature_name" text collate "C" not null,
  "seen_at" bigint not null,
  constraint "flag_presences_pkey" PRIMARY KEY (user_id),
  constraint "flag_presences_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX flag_presences_of ON flag_presences USING btree (feature_name);

create table "gauge_reports" (
  "scope" text collate "C" not null,
  "node" text collate "C" not null,
  "minute" bigint not null,
  "reports" text not null,
  constraint "gauge_reports_key" PRIMARY KEY (scope, node)
);

create table "group_members" (
  "group_id" integer not null,
  "user_id" integer not null,
  "joined_at" bigint not null,
  "created_by" text not null,
  "position" integer default 0 not null,
  constraint "group_members_group_id_fkey" FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint "group_members_key" PRIMARY KEY (group_id, user_id),
  constraint "group_members_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX group_members_by_user ON group_members USING btree (user_id);

create table "groups" (
  "id" integer generated always as identity not null,
  "name" text collate "C" not null,
  "description" text,
  "mappings_sso" text not null,
  "root_role" integer,
  "created_by" text not null,
  "created_at" bigint not null,
  "scim_id" text collate "C",
  "scim_external_id" text collate "C",
  constraint "groups_name_key" UNIQUE (name),
  constraint "groups_pkey" PRIMARY KEY (id),
  constraint "groups_root_role_fkey" FOREIGN KEY (root_role) REFERENCES roles(id),
  constraint "groups_scim_id_key" UNIQUE (scim_id)
);
CREATE INDEX groups_by_root_role ON groups USING btree (root_role);

create table "hidden_presences" (
  "user_id" integer not null,
  constraint "hidden_presences_pkey" PRIMARY KEY (user_id),
  constraint "hidden_presences_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "impact_charts" (
  "id" text collate "C" not null,
  "feature_name" text collate "C",
  "definition" text not null,
  "created_at" bigint not null,
  constraint "impact_charts_feature_name_fkey" FOREIGN KEY (feature_name) REFERENCES features(name) ON DELETE CASCADE,
  constraint "impact_charts_pkey" PRIMARY KEY (id)
);
CREATE INDEX impact_charts_by_flag ON impact_charts USING btree (feature_name);

create table "impact_metrics" (
  "id" text collate "C" not null,
  "environment" text collate "C" not null,
  "type" text not null,
  "name" text collate "C" not null,
  "source_projects" text not null,
  "help" text not null,
  "first_seen_at" bigint not null,
  "last_seen_at" bigint not null,
  "is_public" integer default 0 not null,
  constraint "impact_metrics_pkey" PRIMARY KEY (id)
);
CREATE INDEX impact_metrics_by_name ON impact_metrics USING btree (environment, name);

create table "impact_points" (
  "series_id" text collate "C" not null,
  "step" bigint not null,
  "start" bigint not null,
  "packed" text not null,
  constraint "impact_points_key" PRIMARY KEY (series_id, step, start),
  constraint "impact_points_series_id_fkey" FOREIGN KEY (series_id) REFERENCES impact_series(id) ON DELETE CASCADE
);
CREATE INDEX impact_points_by_age ON impact_points USING btree (step, start);

create table "impact_series" (
  "id" text collate "C" not null,
  "metric_id" text collate "C" not null,
  "labels" text not null,
  "bounds" text not null,
  "last_seen_at" bigint not null,
  "is_public" integer default 0 not null,
  constraint "impact_series_metric_id_fkey" FOREIGN KEY (metric_id) REFERENCES impact_metrics(id) ON DELETE CASCADE,
  constraint "impact_series_pkey" PRIMARY KEY (id)
);
CREATE INDEX impact_series_by_metric ON impact_series USING btree (metric_id);

create table "integration_attempts" (
  "id" integer generated always as identity not null,
  "integration_id" integer not null,
  "event_id" bigint,
  "created_at" bigint not null,
  "attempt" integer not null,
  "state" text collate "C" not null,
  "status" integer,
  "duration_ms" integer not null,
  "error" text not null,
  "next_at" bigint,
  constraint "integration_attempts_integration_id_fkey" FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE,
  constraint "integration_attempts_pkey" PRIMARY KEY (id)
);
CREATE INDEX integration_attempts_of ON integration_attempts USING btree (integration_id, id);

create table "integration_deliveries" (
  "integration_id" integer not null,
  "event_id" bigint not null,
  "attempts" integer not null,
  "part" integer not null,
  "due_at" bigint not null,
  constraint "integration_deliveries_integration_id_fkey" FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE,
  constraint "integration_deliveries_key" PRIMARY KEY (integration_id, event_id)
);

create table "integration_lease" (
  "name" text collate "C" not null,
  "holder" text not null,
  "until_ms" bigint not null,
  constraint "integration_lease_pkey" PRIMARY KEY (name)
);

create table "integration_project_grants" (
  "integration_id" integer not null,
  "project" text collate "C" not null,
  "granted_by" integer not null,
  constraint "integration_project_grants_integration_id_fkey" FOREIGN KEY (integration_id) REFERENCES integrations(id) ON DELETE CASCADE,
  constraint "integration_project_grants_key" PRIMARY KEY (integration_id, project)
);

create table "integrations" (
  "id" integer generated always as identity not null,
  "provider" text collate "C" not null,
  "enabled" smallint not null,
  "description" text,
  "open_parameters" text not null,
  "sealed_parameters" text not null,
  "event_types" text not null,
  "only_projects" text not null,
  "only_environments" text not null,
  "seen_event_id" bigint not null,
  "created_at" bigint not null,
  constraint "integrations_pkey" PRIMARY KEY (id)
);

create table "invite_link_roles" (
  "link_id" integer not null,
  "project" text collate "C" not null,
  "role_id" integer not null,
  "granted_by_user_id" integer,
  "granted_by_token_id" text collate "C",
  constraint "invite_link_roles_granted_by_token_id_fkey" FOREIGN KEY (granted_by_token_id) REFERENCES api_tokens(id) ON DELETE CASCADE,
  constraint "invite_link_roles_granted_by_user_id_fkey" FOREIGN KEY (granted_by_user_id) REFERENCES users(id) ON DELETE CASCADE,
  constraint "invite_link_roles_key" PRIMARY KEY (link_id, project, role_id),
  constraint "invite_link_roles_link_id_fkey" FOREIGN KEY (link_id) REFERENCES invite_links(id) ON DELETE CASCADE,
  constraint "invite_link_roles_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE,
  constraint "invite_link_roles_role_id_fkey" FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE
);
CREATE INDEX invite_link_roles_by_project ON invite_link_roles USING btree (project);
CREATE INDEX invite_link_roles_by_role ON invite_link_roles USING btree (role_id);
CREATE INDEX invite_link_roles_by_token ON invite_link_roles USING btree (granted_by_token_id);
CREATE INDEX invite_link_roles_by_user ON invite_link_roles USING btree (granted_by_user_id);

create table "invite_link_users" (
  "link_id" integer not null,
  "user_id" integer not null,
  constraint "invite_link_users_key" PRIMARY KEY (link_id, user_id),
  constraint "invite_link_users_link_id_fkey" FOREIGN KEY (link_id) REFERENCES invite_links(id) ON DELETE CASCADE,
  constraint "invite_link_users_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX invite_link_users_by_user ON invite_link_users USING btree (user_id);

create table "invite_links" (
  "id" integer generated always as identity not null,
  "secret" text collate "C" not null,
  "name" text not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "expires_at" bigint not null,
  "enabled" smallint not null,
  "sealed_secret" text,
  constraint "invite_links_pkey" PRIMARY KEY (id),
  constraint "invite_links_secret_key" UNIQUE (secret)
);

create table "known_networks" (
  "user_id" integer not null,
  "network_hash" text collate "C" not null,
  "seen_at" bigint not null,
  constraint "known_networks_key" PRIMARY KEY (user_id, network_hash),
  constraint "known_networks_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "login_history" (
  "id" integer generated always as identity not null,
  "username" text not null,
  "auth_type" text not null,
  "created_at" bigint not null,
  "successful" smallint not null,
  "ip" text,
  "failure_reason" text,
  constraint "login_history_pkey" PRIMARY KEY (id)
);
CREATE INDEX login_history_by_time ON login_history USING btree (created_at);

create table "notification_reads" (
  "user_id" integer not null,
  "read_up_to" integer not null,
  constraint "notification_reads_pkey" PRIMARY KEY (user_id),
  constraint "notification_reads_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "personal_tokens" (
  "id" integer generated always as identity not null,
  "user_id" integer not null,
  "description" text not null,
  "hash" text collate "C" not null,
  "expires_at" bigint not null,
  "created_at" bigint not null,
  "seen_at" bigint,
  constraint "personal_tokens_hash_key" UNIQUE (hash),
  constraint "personal_tokens_pkey" PRIMARY KEY (id),
  constraint "personal_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX personal_tokens_by_user ON personal_tokens USING btree (user_id);

create table "project_environment_defaults" (
  "project" text collate "C" not null,
  "environment" text collate "C" not null,
  "default_strategy" text not null,
  constraint "project_environment_defaults_key" PRIMARY KEY (project, environment),
  constraint "project_environment_defaults_link" FOREIGN KEY (project, environment) REFERENCES project_environments(project, environment) ON DELETE CASCADE
);

create table "project_environments" (
  "project" text collate "C" not null,
  "environment" text collate "C" not null,
  constraint "project_environments_environment_fkey" FOREIGN KEY (environment) REFERENCES environments(name) ON DELETE CASCADE,
  constraint "project_environments_key" PRIMARY KEY (project, environment),
  constraint "project_environments_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE
);

create table "project_favorites" (
  "user_id" integer not null,
  "project" text collate "C" not null,
  constraint "project_favorites_key" PRIMARY KEY (user_id, project),
  constraint "project_favorites_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE,
  constraint "project_favorites_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "project_groups" (
  "project" text collate "C" not null,
  "group_id" integer not null,
  "role_id" integer not null,
  "created_at" bigint not null,
  constraint "project_groups_group_id_fkey" FOREIGN KEY (group_id) REFERENCES groups(id) ON DELETE CASCADE,
  constraint "project_groups_key" PRIMARY KEY (project, group_id, role_id),
  constraint "project_groups_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE,
  constraint "project_groups_role_id_fkey" FOREIGN KEY (role_id) REFERENCES roles(id)
);
CREATE INDEX project_groups_by_group ON project_groups USING btree (group_id);
CREATE INDEX project_groups_by_role ON project_groups USING btree (role_id);

create table "project_members" (
  "user_id" integer not null,
  "project" text collate "C" not null,
  "role_id" integer not null,
  "created_at" bigint,
  constraint "project_members_key" PRIMARY KEY (project, user_id, role_id),
  constraint "project_members_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE,
  constraint "project_members_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX members_by_user ON project_members USING btree (user_id);
CREATE INDEX project_members_by_role ON project_members USING btree (role_id);

create table "projects" (
  "id" text collate "C" not null,
  "name" text not null,
  "description" text,
  "mode" text not null,
  "default_stickiness" text not null,
  "created_at" bigint not null,
  "archived_at" bigint,
  "feature_naming_pattern" text,
  "feature_naming_example" text,
  "feature_naming_description" text,
  "feature_limit" integer,
  "link_templates" text default '[]'::text not null,
  constraint "projects_pkey" PRIMARY KEY (id)
);

create table "release_plan_segments" (
  "plan_id" text collate "C" not null,
  "segment_id" integer not null,
  constraint "release_plan_segments_key" PRIMARY KEY (plan_id, segment_id),
  constraint "release_plan_segments_plan_id_fkey" FOREIGN KEY (plan_id) REFERENCES release_plans(id) ON DELETE CASCADE,
  constraint "release_plan_segments_segment_id_fkey" FOREIGN KEY (segment_id) REFERENCES segments(id)
);
CREATE INDEX release_plans_by_segment ON release_plan_segments USING btree (segment_id);

create table "release_plan_templates" (
  "id" text collate "C" not null,
  "name" text not null,
  "description" text,
  "milestones" text not null,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "archived_at" bigint,
  constraint "release_plan_templates_pkey" PRIMARY KEY (id)
);

create table "release_plans" (
  "id" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "environment" text collate "C" not null,
  "template_id" text collate "C" not null,
  "name" text not null,
  "description" text,
  "milestones" text not null,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "active_milestone_id" text collate "C" not null,
  "started_at" bigint,
  "active_since" bigint,
  "elapsed_ms" bigint default 0 not null,
  "interval_ms" bigint,
  "due_at" bigint,
  "paused_at" bigint,
  constraint "release_plans_environment" FOREIGN KEY (feature_name, environment) REFERENCES feature_environments(feature_name, environment) ON DELETE CASCADE,
  constraint "release_plans_of_flag" UNIQUE (feature_name, environment),
  constraint "release_plans_pkey" PRIMARY KEY (id)
);
CREATE INDEX release_plans_by_due ON release_plans USING btree (due_at);

create table "release_template_segments" (
  "template_id" text collate "C" not null,
  "segment_id" integer not null,
  constraint "release_template_segments_key" PRIMARY KEY (template_id, segment_id),
  constraint "release_template_segments_segment_id_fkey" FOREIGN KEY (segment_id) REFERENCES segments(id),
  constraint "release_template_segments_template_id_fkey" FOREIGN KEY (template_id) REFERENCES release_plan_templates(id) ON DELETE CASCADE
);
CREATE INDEX release_templates_by_segment ON release_template_segments USING btree (segment_id);

create table "removed_private_projects" (
  "id" text collate "C" not null,
  constraint "removed_private_projects_pkey" PRIMARY KEY (id)
);

create table "reset_tokens" (
  "hash" text collate "C" not null,
  "user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "expires_at" bigint not null,
  "ends_tokens" smallint default 1 not null,
  constraint "reset_tokens_pkey" PRIMARY KEY (hash),
  constraint "reset_tokens_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX reset_tokens_by_user ON reset_tokens USING btree (user_id);

create table "role_permissions" (
  "role_id" integer not null,
  "permission" text collate "C" not null,
  "environment" text collate "C",
  "all_environments" smallint default 0 not null,
  constraint "role_permissions_environment_fkey" FOREIGN KEY (environment) REFERENCES environments(name) ON DELETE CASCADE,
  constraint "role_permissions_role_id_fkey" FOREIGN KEY (role_id) REFERENCES roles(id) ON DELETE CASCADE
);
CREATE INDEX role_permissions_by_environment ON role_permissions USING btree (environment);
CREATE INDEX role_permissions_by_role ON role_permissions USING btree (role_id);

create table "roles" (
  "id" integer generated always as identity not null,
  "name" text collate "C" not null,
  "description" text not null,
  "type" text not null,
  constraint "roles_name_key" UNIQUE (name),
  constraint "roles_pkey" PRIMARY KEY (id)
);

create table "safeguards" (
  "id" text collate "C" not null,
  "feature_name" text collate "C" not null,
  "environment" text collate "C" not null,
  "plan_id" text collate "C",
  "definition" text not null,
  "alert_name" text,
  "armed_at" bigint not null,
  "check_at" bigint,
  "breached_since" bigint,
  "held" integer default 0 not null,
  "trip" text,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "metric_name" text collate "C",
  constraint "safeguards_environment" FOREIGN KEY (feature_name, environment) REFERENCES feature_environments(feature_name, environment) ON DELETE CASCADE,
  constraint "safeguards_pkey" PRIMARY KEY (id),
  constraint "safeguards_plan_id_fkey" FOREIGN KEY (plan_id) REFERENCES release_plans(id) ON DELETE CASCADE
);
CREATE INDEX safeguards_by_check ON safeguards USING btree (check_at);
CREATE INDEX safeguards_by_flag ON safeguards USING btree (feature_name, environment);
CREATE INDEX safeguards_by_metric ON safeguards USING btree (environment, metric_name);
CREATE INDEX safeguards_by_plan ON safeguards USING btree (plan_id);

create table "sampled_environments" (
  "name" text collate "C" not null,
  constraint "sampled_environments_name_fkey" FOREIGN KEY (name) REFERENCES environments(name) ON DELETE CASCADE,
  constraint "sampled_environments_pkey" PRIMARY KEY (name)
);

create table "segments" (
  "id" integer generated always as identity not null,
  "name" text collate "C" not null,
  "description" text,
  "project" text collate "C",
  "constraints" text not null,
  "created_by" text not null,
  "created_at" bigint not null,
  constraint "segments_name_key" UNIQUE (name),
  constraint "segments_pkey" PRIMARY KEY (id),
  constraint "segments_project_fkey" FOREIGN KEY (project) REFERENCES projects(id) ON DELETE CASCADE
);

create table "self_targets" (
  "strategy_id" text collate "C" not null,
  "user_id" text not null,
  "variant" text,
  "expires_at" bigint not null,
  "created_by_user_id" integer not null,
  constraint "self_targets_pkey" PRIMARY KEY (strategy_id),
  constraint "self_targets_strategy_id_fkey" FOREIGN KEY (strategy_id) REFERENCES feature_strategies(id) ON DELETE CASCADE
);
CREATE INDEX self_targets_by_expiry ON self_targets USING btree (expires_at);

create table "sessions" (
  "hash" text collate "C" not null,
  "user_id" integer not null,
  "created_at" bigint not null,
  "used_at" bigint not null,
  "expires_at" bigint not null,
  "id_token" text,
  constraint "sessions_pkey" PRIMARY KEY (hash),
  constraint "sessions_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_user ON sessions USING btree (user_id);

create table "settings" (
  "name" text collate "C" not null,
  "value" text not null,
  constraint "settings_pkey" PRIMARY KEY (name)
);

create table "signal_endpoints" (
  "name" text collate "C" not null,
  "token_hash" text not null,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "last_used_at" bigint,
  constraint "signal_endpoints_pkey" PRIMARY KEY (name)
);

create table "splash" (
  "user_id" integer not null,
  "splash_id" text collate "C" not null,
  constraint "splash_key" PRIMARY KEY (user_id, splash_id),
  constraint "splash_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table "sso_identities" (
  "issuer" text collate "C" not null,
  "subject" text collate "C" not null,
  "user_id" integer not null,
  "created_at" bigint not null,
  constraint "sso_identities_key" PRIMARY KEY (issuer, subject),
  constraint "sso_identities_user_id_fkey" FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sso_identities_by_user ON sso_identities USING btree (user_id);

create table "strategy_types" (
  "name" text collate "C" not null,
  "title" text,
  "description" text,
  "parameters" text not null,
  "deprecated" smallint default 0 not null,
  "built_in" smallint default 0 not null,
  "sort_order" integer not null,
  constraint "strategy_types_pkey" PRIMARY KEY (name)
);

create table "tag_types" (
  "name" text collate "C" not null,
  "description" text,
  "icon" text,
  constraint "tag_types_pkey" PRIMARY KEY (name)
);

create table "tags" (
  "type" text collate "C" not null,
  "value" text collate "C" not null,
  constraint "tags_key" PRIMARY KEY (type, value),
  constraint "tags_type_fkey" FOREIGN KEY (type) REFERENCES tag_types(name) ON DELETE CASCADE
);

create table "test_runs" (
  "id" text collate "C" not null,
  "project" text collate "C" not null,
  "environment" text collate "C" not null,
  "name" text not null,
  "client_hash" text not null,
  "frontend_hash" text not null,
  "overrides" text not null,
  "version" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "expires_at" bigint not null,
  constraint "test_runs_environment" FOREIGN KEY (project, environment) REFERENCES project_environments(project, environment) ON DELETE CASCADE,
  constraint "test_runs_pkey" PRIMARY KEY (id)
);
CREATE INDEX test_runs_by_expiry ON test_runs USING btree (expires_at);
CREATE INDEX test_runs_by_project ON test_runs USING btree (project, environment);

create table "unknown_flag_projects" (
  "name" text collate "C" not null,
  "app_name" text collate "C" not null,
  "environment" text collate "C" not null,
  "project" text collate "C" not null,
  constraint "unknown_flag_projects_key" PRIMARY KEY (name, app_name, environment, project),
  constraint "unknown_flag_projects_of" FOREIGN KEY (name, app_name, environment) REFERENCES unknown_flags(name, app_name, environment) ON DELETE CASCADE
);

create table "unknown_flags" (
  "name" text collate "C" not null,
  "app_name" text collate "C" not null,
  "environment" text collate "C" not null,
  "last_seen_at" bigint not null,
  constraint "unknown_flags_key" PRIMARY KEY (name, app_name, environment)
);

create table "users" (
  "id" integer generated always as identity not null,
  "username" text collate "C",
  "email" text collate "C",
  "name" text,
  "password_hash" text not null,
  "root_role" integer not null,
  "must_change_password" smallint default 0 not null,
  "login_attempts" integer default 0 not null,
  "created_at" bigint not null,
  "seen_at" bigint,
  "is_service" smallint default 0 not null,
  "image_url" text,
  "scim_id" text collate "C",
  "scim_external_id" text collate "C",
  "active" smallint default 1 not null,
  "own_email" smallint default 0 not null,
  "address_verified" smallint default 0 not null,
  constraint "users_pkey" PRIMARY KEY (id),
  constraint "users_username_key" UNIQUE (username)
);
CREATE INDEX users_by_root_role ON users USING btree (root_role);
CREATE UNIQUE INDEX users_by_email ON users USING btree (lower(email));
CREATE UNIQUE INDEX users_by_scim_id ON users USING btree (scim_id);

-- change_marks: "overdue", 0
-- change_marks: "usage", 0
-- context_fields: "appName", "Name of the application", 0, 2, "[]", 0
-- context_fields: "currentTime", "When it is, for constraints on dates", 0, 4, "[]", 0
-- context_fields: "environment", "Environment the application runs in", 0, 3, "[]", 0
-- context_fields: "sessionId", "The session of that user", 1, 1, "[]", 0
-- context_fields: "userId", "Who uses the application", 1, 0, "[]", 0
-- database_epoch: …, …, …
-- environments: "development", "development", 100, 1, 0
-- environments: "production", "production", 200, 1, 0
-- feature_types: "experiment", "Experiment", "Compares variants with each other.", 40, 1
-- feature_types: "kill-switch", "Kill switch", "Takes something away in an emergency.", null, 3
-- feature_types: "operational", "Operational", "Steers how the system runs for a while.", 7, 2
-- feature_types: "permission", "Permission", "Gives something to some people for good.", null, 4
-- feature_types: "release", "Release", "Brings out something new step by step.", 40, 0
-- project_environments: "default", "development"
-- project_environments: "default", "production"
-- projects: "default", "Default", "Default project", "open", "default", 0, null, null, null, null, null, "[]"
-- roles: 1, "Admin", "All permissions.", "root"
-- roles: 2, "Editor", "Can change flags in the default project, and objects that flags share.", "root"
-- roles: 3, "Viewer", "Read access.", "root"
-- roles: 4, "Owner", "All permissions in the project.", "project"
-- roles: 5, "Member", "Can change the flags of the project.", "project"
-- strategy_types: "applicationHostname", "Hosts", "Listed hosts.", "[{\"name\":\"hostNames\",\"type\":\"list\",\"description\":\"Names of hosts\"}]", 0, 1, 4
-- strategy_types: "default", "Standard", "Everybody.", "[]", 0, 1, 1
-- strategy_types: "flexibleRollout", "Gradual rollout", "A share of users, sticky by a field of the context.", "[{\"name\":\"rollout\",\"type\":\"percentage\",\"description\":\"Share of users\",\"required\":true},{\"name\":\"stickiness\",\"type\":\"string\",\"description\":\"What a user keeps the result by\",\"required\":true},{\"name\":\"groupId\",\"type\":\"string\",\"description\":\"Flags of one group give the same users the same result\"}]", 0, 1, 0
-- strategy_types: "gradualRolloutRandom", null, "An older form of the gradual rollout.", "[{\"name\":\"percentage\",\"type\":\"percentage\",\"description\":\"Share of users\"}]", 1, 1, 7
-- strategy_types: "gradualRolloutSessionId", null, "An older form of the gradual rollout.", "[{\"name\":\"percentage\",\"type\":\"percentage\",\"description\":\"Share of users\"}]", 1, 1, 6
-- strategy_types: "gradualRolloutUserId", null, "An older form of the gradual rollout.", "[{\"name\":\"percentage\",\"type\":\"percentage\",\"description\":\"Share of users\"}]", 1, 1, 5
-- strategy_types: "remoteAddress", "Addresses", "Listed addresses and ranges.", "[{\"name\":\"IPs\",\"type\":\"list\",\"description\":\"Addresses and CIDR ranges\",\"required\":true}]", 0, 1, 3
-- strategy_types: "userWithId", "User ids", "Listed users.", "[{\"name\":\"userIds\",\"type\":\"list\",\"description\":\"Ids of users\"}]", 1, 1, 2
-- tag_types: "simple", "Free labels", "#"
