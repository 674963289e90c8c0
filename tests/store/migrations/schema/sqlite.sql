create table "agent_limits" (
  "environment" text primary key references "environments" ("name") on delete cascade,
  "access" text not null
);

create table "agent_writes" (
  "id" integer primary key autoincrement,
  "token_id" integer not null,
  "user_id" integer not null,
  "tool" text not null,
  "outcome" text not null,
  "project" text not null,
  "environment" text,
  "feature_name" text not null,
  "client_name" text not null,
  "client_version" text not null,
  "created_at" bigint not null
);
CREATE INDEX "agent_writes_by_time" on "agent_writes" ("created_at");
CREATE INDEX "agent_writes_by_token" on "agent_writes" ("token_id", "created_at");

create table "api_token_aliases" (
  "hash" text primary key,
  "token_id" text not null references "api_tokens" ("id") on delete cascade
);
CREATE INDEX "token_aliases_by_token" on "api_token_aliases" ("token_id");

create table "api_token_callers" (
  "token_id" text not null primary key references "api_tokens" ("id") on delete cascade,
  "app_name" text,
  "instance_id" text,
  "sdk_version" text,
  "seen_at" bigint not null
);

create table "api_token_projects" (
  "token_id" text not null references "api_tokens" ("id") on delete cascade,
  "project" text not null references "projects" ("id") on delete cascade,
  constraint "api_token_projects_key" primary key ("token_id", "project")
);

create table "api_token_secrets" (
  "token_id" text not null primary key references "api_tokens" ("id") on delete cascade,
  "sealed" text not null
);

create table "api_tokens" (
  "id" text primary key,
  "hash" text not null unique,
  "masked" text not null,
  "name" text not null,
  "type" text not null,
  "environment" text not null,
  "all_projects" smallint not null,
  "expires_at" bigint,
  "created_at" bigint not null,
  "seen_at" bigint
);

create table "change_marks" (
  "name" text not null primary key,
  "revision" bigint not null
);

create table "change_request_approvers" (
  "request_id" integer not null references "change_requests" ("id") on delete cascade,
  "user_id" integer not null references "users" ("id") on delete cascade,
  constraint "change_request_approvers_key" primary key ("request_id", "user_id")
);

create table "change_request_changes" (
  "id" integer primary key autoincrement,
  "request_id" integer not null references "change_requests" ("id") on delete cascade,
  "feature_name" text,
  "segment_id" integer,
  "segment_name" text,
  "action" text not null,
  "payload" text not null,
  "base" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null
);
CREATE INDEX "change_request_changes_by_feature" on "change_request_changes" ("feature_name");
CREATE INDEX "change_request_changes_of" on "change_request_changes" ("request_id", "id");

create table "change_request_comments" (
  "id" integer primary key autoincrement,
  "request_id" integer not null references "change_requests" ("id") on delete cascade,
  "text" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null
);
CREATE INDEX "change_request_comments_of" on "change_request_comments" ("request_id", "id");

create table "change_request_opinions" (
  "request_id" integer not null references "change_requests" ("id") on delete cascade,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "opinion" text not null,
  "created_at" bigint not null,
  constraint "change_request_opinions_key" primary key ("request_id", "user_id")
);

create table "change_request_settings" (
  "project" text not null references "projects" ("id") on delete cascade,
  "environment" text not null references "environments" ("name") on delete cascade,
  "enabled" smallint not null,
  "required_approvals" integer not null,
  constraint "change_request_settings_key" primary key ("project", "environment")
);

create table "change_requests" (
  "id" integer primary key autoincrement,
  "project" text not null references "projects" ("id") on delete cascade,
  "environment" text not null,
  "title" text not null,
  "state" text not null,
  "state_times" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "scheduled_at" bigint,
  "scheduled_by_user_id" integer,
  "schedule_status" text,
  "schedule_reason" text,
  "from_files" smallint
);
CREATE INDEX "change_requests_by_maker" on "change_requests" ("created_by_user_id", "id");
CREATE INDEX "change_requests_by_schedule" on "change_requests" ("schedule_status", "scheduled_at");
CREATE INDEX "change_requests_by_state" on "change_requests" ("state", "id");
CREATE INDEX "change_requests_of_project" on "change_requests" ("project", "state", "id");

create table "client_application_reach" (
  "app_name" text not null references "client_applications" ("app_name") on delete cascade,
  "project" text not null,
  "environment" text not null,
  constraint "client_application_reach_key" primary key ("app_name", "project", "environment")
);

create table "client_applications" (
  "app_name" text primary key,
  "strategies" text not null,
  "first_seen_at" bigint not null,
  "last_seen_at" bigint not null,
  "description" text,
  "url" text,
  "color" text,
  "icon" text,
  "by_public_token" smallint default 0 not null
);

create table "client_instance_projects" (
  "app_name" text not null,
  "instance_id" text not null,
  "environment" text not null,
  "project" text not null,
  constraint "client_instance_projects_key" primary key ("app_name", "instance_id", "environment", "project"),
  constraint "client_instance_projects_of" foreign key ("app_name", "instance_id", "environment") references "client_instances" ("app_name", "instance_id", "environment") on delete cascade
);

create table "client_instances" (
  "app_name" text not null,
  "instance_id" text not null,
  "environment" text not null,
  "sdk_version" text,
  "address" text,
  "last_seen_at" bigint not null,
  "by_public_token" smallint default 0 not null,
  "first_seen_at" bigint,
  constraint "client_instances_key" primary key ("app_name", "instance_id", "environment")
);

create table "client_metrics" (
  "environment" text not null,
  "app_name" text not null,
  "feature_name" text not null,
  "hour" bigint not null,
  "yes" bigint not null,
  "no" bigint not null,
  constraint "client_metrics_key" primary key ("feature_name", "hour", "environment", "app_name")
);
CREATE INDEX "client_metrics_by_app" on "client_metrics" ("app_name", "environment", "hour");
CREATE INDEX "client_metrics_by_hour" on "client_metrics" ("hour");

create table "client_metrics_variants" (
  "environment" text not null,
  "app_name" text not null,
  "feature_name" text not null,
  "hour" bigint not null,
  "variant" text not null,
  "count" bigint not null,
  constraint "client_metrics_variants_key" primary key ("feature_name", "hour", "environment", "app_name", "variant")
);
CREATE INDEX "client_metrics_variants_by_hour" on "client_metrics_variants" ("hour");

create table "code_branches" (
  "repository" text not null references "code_repositories" ("name") on delete cascade,
  "branch" text not null,
  "head" text not null,
  "synced_at" bigint not null,
  "committed_at" bigint,
  constraint "code_branches_key" primary key ("repository", "branch")
);

create table "code_extinctions" (
  "repository" text not null references "code_repositories" ("name") on delete cascade,
  "branch" text not null,
  "feature_name" text not null references "features" ("name") on delete cascade,
  "revision" text not null,
  "message" text not null,
  "removed_at" bigint not null,
  constraint "code_extinctions_key" primary key ("repository", "feature_name")
);
CREATE INDEX "code_extinctions_by_flag" on "code_extinctions" ("feature_name");

create table "code_references" (
  "repository" text not null,
  "branch" text not null,
  "project" text not null,
  "feature_name" text not null,
  "reference_count" integer not null,
  "places" text not null,
  constraint "code_references_key" primary key ("repository", "branch", "project", "feature_name"),
  constraint "code_references_scan" foreign key ("repository", "branch", "project") references "code_scans" ("repository", "branch", "project") on delete cascade
);
CREATE INDEX "code_references_by_flag" on "code_references" ("feature_name", "project");

create table "code_repositories" (
  "name" text not null primary key,
  "type" text not null,
  "source_link" text not null,
  "commit_url_template" text not null,
  "hunk_url_template" text not null,
  "default_branch" text not null,
  "created_at" bigint not null
);

create table "code_scans" (
  "repository" text not null,
  "branch" text not null,
  "project" text not null references "projects" ("id") on delete cascade,
  "head" text not null,
  "update_sequence_id" bigint,
  constraint "code_scans_branch" foreign key ("repository", "branch") references "code_branches" ("repository", "branch") on delete cascade,
  constraint "code_scans_key" primary key ("repository", "branch", "project")
);
CREATE INDEX "code_scans_by_project" on "code_scans" ("project");

create table "config_origins" (
  "project" text not null references "projects" ("id") on delete cascade,
  "kind" text not null,
  "name" text not null,
  "feature_name" text references "features" ("name") on delete cascade,
  "repository" text not null,
  "commit_id" text not null,
  "path" text not null,
  "applied_at" bigint not null,
  "drifted_at" bigint,
  constraint "config_origins_key" primary key ("project", "kind", "name")
);
CREATE INDEX "config_origins_by_flag" on "config_origins" ("feature_name");

create table "context_fields" (
  "name" text primary key,
  "description" text,
  "stickiness" smallint default 0 not null,
  "sort_order" integer not null,
  "legal_values" text not null,
  "created_at" bigint not null
);

create table "database_epoch" (
  "epoch" text primary key,
  "origin" text,
  "begun_at" bigint
);

create table "environments" (
  "name" text primary key,
  "type" text not null,
  "sort_order" integer not null,
  "enabled" smallint not null,
  "protected" smallint not null
);

create table "event_search_blocks" (
  "block" integer primary key,
  "events" integer not null
);

create table "event_search_postings" (
  "key" integer primary key,
  "postings" text not null
);

create table "events" (
  "id" integer primary key autoincrement,
  "created_at" bigint not null,
  "type" text not null,
  "created_by" text not null,
  "created_by_user_id" integer not null,
  "project" text,
  "environment" text,
  "feature_name" text,
  "data" text,
  "pre_data" text,
  "tags" text not null,
  "reach" text,
  "address" text,
  "undo" text,
  "agent" text
);
CREATE INDEX "events_by_agent" on "events" ("id") where agent is not null;
CREATE INDEX "events_by_author" on "events" ("created_by", "id");
CREATE INDEX "events_by_environment" on "events" ("environment", "id");
CREATE INDEX "events_by_environment_and_type" on "events" ("environment", "type");
CREATE INDEX "events_by_feature" on "events" ("feature_name", "id");
CREATE INDEX "events_by_project" on "events" ("project", "id");
CREATE INDEX "events_by_project_and_type" on "events" ("project", "type", "created_at", "feature_name", "environment");
CREATE INDEX "events_by_reach" on "events" ("reach", "id");
CREATE INDEX events_by_time on events (created_at);
CREATE INDEX "events_by_type" on "events" ("type", "id");
CREATE INDEX "events_by_user" on "events" ("created_by_user_id", "id");

create table "feature_comments" (
  "id" integer primary key autoincrement,
  "feature_name" text not null references "features" ("name") on delete cascade,
  "text" text not null,
  "created_by_user_id" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "edited_at" bigint
);
CREATE INDEX "feature_comments_of" on "feature_comments" ("feature_name", "id");

create table "feature_dependencies" (
  "child" text not null references "features" ("name") on delete cascade,
  "parent" text not null references "features" ("name"),
  "enabled" smallint not null,
  "variants" text not null,
  constraint "feature_dependencies_key" primary key ("child", "parent")
);
CREATE INDEX "dependencies_by_parent" on "feature_dependencies" ("parent");

create table "feature_environments" (
  "feature_name" text not null references "features" ("name") on delete cascade,
  "environment" text not null references "environments" ("name") on delete cascade,
  "enabled" smallint default 0 not null,
  "variants" text not null,
  "last_seen_at" bigint,
  constraint "feature_environments_key" primary key ("feature_name", "environment")
);

create table "feature_favorites" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "feature_name" text not null references "features" ("name") on delete cascade,
  constraint "feature_favorites_key" primary key ("user_id", "feature_name")
);
CREATE INDEX "feature_favorites_of" on "feature_favorites" ("feature_name");

create table "feature_links" (
  "id" text not null primary key,
  "feature_name" text not null references "features" ("name") on delete cascade,
  "url" text not null,
  "title" text,
  "sort_order" integer not null
);
CREATE INDEX "feature_links_of" on "feature_links" ("feature_name");

create table "feature_snoozes" (
  "feature_name" text not null primary key references "features" ("name") on delete cascade,
  "until" bigint not null,
  "created_by" text not null
);

create table "feature_stages" (
  "feature_name" text not null references "features" ("name") on delete cascade,
  "stage" text not null,
  "entered_at" bigint not null,
  "status" text,
  "status_value" text,
  constraint "feature_stages_key" primary key ("feature_name", "stage")
);

create table "feature_strategies" (
  "id" text primary key,
  "feature_name" text not null,
  "environment" text not null,
  "name" text not null,
  "title" text,
  "disabled" smallint default 0 not null,
  "parameters" text not null,
  "constraints" text not null,
  "variants" text not null,
  "sort_order" integer not null,
  "created_at" bigint not null,
  constraint "feature_strategies_environment" foreign key ("feature_name", "environment") references "feature_environments" ("feature_name", "environment") on delete cascade
);
CREATE INDEX "strategies_by_environment" on "feature_strategies" ("feature_name", "environment");

create table "feature_strategy_segments" (
  "strategy_id" text not null references "feature_strategies" ("id") on delete cascade,
  "segment_id" integer not null references "segments" ("id"),
  constraint "feature_strategy_segments_key" primary key ("strategy_id", "segment_id")
);
CREATE INDEX "strategies_by_segment" on "feature_strategy_segments" ("segment_id");

create table "feature_tags" (
  "feature_name" text not null references "features" ("name") on delete cascade,
  "type" text not null,
  "value" text not null,
  constraint "feature_tags_key" primary key ("feature_name", "type", "value"),
  constraint "feature_tags_tag" foreign key ("type", "value") references "tags" ("type", "value") on delete cascade
);

create table "feature_types" (
  "id" text primary key,
  "name" text not null,
  "description" text not null,
  "lifetime_days" integer,
  "sort_order" integer not null
);

create table "feature_values" (
  "feature_name" text not null primary key references "features" ("name") on delete cascade,
  "value_type" text not null,
  "default_value" text not null
);

create table "features" (
  "name" text primary key,
  "project" text not null references "projects" ("id"),
  "type" text not null,
  "description" text,
  "stale" smallint default 0 not null,
  "impression_data" smallint default 0 not null,
  "created_at" bigint not null,
  "archived_at" bigint,
  "last_seen_at" bigint,
  "potentially_stale" smallint default 0 not null,
  "created_by" text,
  "created_by_user_id" integer
);
CREATE INDEX "features_by_maker" on "features" ("created_by_user_id");
CREATE INDEX "features_by_project" on "features" ("project");

create table "feedback" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "feedback_id" text not null,
  "never_show" smallint default 0 not null,
  "given" bigint,
  constraint "feedback_key" primary key ("user_id", "feedback_id")
);

create table "flag_presences" (
  "user_id" integer not null primary key references "users" ("id") on delete cascade,
  "feature_name" text not null,
  "seen_at" bigint not null
);
CREATE INDEX "flag_presences_of" on "flag_presences" ("feature_name");

create table "gauge_reports" (
  "scope" text not null,
  "node" text not null,
  "minute" bigint not null,
  "reports" text not null,
  constraint "gauge_reports_key" primary key ("scope", "node")
);

create table "group_members" (
  "group_id" integer not null references "groups" ("id") on delete cascade,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "joined_at" bigint not null,
  "created_by" text not null,
  "position" integer default 0 not null,
  constraint "group_members_key" primary key ("group_id", "user_id")
);
CREATE INDEX "group_members_by_user" on "group_members" ("user_id");

create table "groups" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "description" text,
  "mappings_sso" text not null,
  "root_role" integer references "roles" ("id"),
  "created_by" text not null,
  "created_at" bigint not null,
  "scim_id" text unique,
  "scim_external_id" text
);
CREATE INDEX "groups_by_root_role" on "groups" ("root_role");

create table "hidden_presences" (
  "user_id" integer not null primary key references "users" ("id") on delete cascade
);

create table "impact_charts" (
  "id" text not null primary key,
  "feature_name" text references "features" ("name") on delete cascade,
  "definition" text not null,
  "created_at" bigint not null
);
CREATE INDEX "impact_charts_by_flag" on "impact_charts" ("feature_name");

create table "impact_metrics" (
  "id" text primary key,
  "environment" text not null,
  "type" text not null,
  "name" text not null,
  "source_projects" text not null,
  "help" text not null,
  "first_seen_at" bigint not null,
  "last_seen_at" bigint not null,
  "is_public" integer default 0 not null
);
CREATE INDEX "impact_metrics_by_name" on "impact_metrics" ("environment", "name");

create table "impact_points" (
  "series_id" text not null references "impact_series" ("id") on delete cascade,
  "step" bigint not null,
  "start" bigint not null,
  "packed" text not null,
  constraint "impact_points_key" primary key ("series_id", "step", "start")
);
CREATE INDEX "impact_points_by_age" on "impact_points" ("step", "start");

create table "impact_series" (
  "id" text primary key,
  "metric_id" text not null references "impact_metrics" ("id") on delete cascade,
  "labels" text not null,
  "bounds" text not null,
  "last_seen_at" bigint not null,
  "is_public" integer default 0 not null
);
CREATE INDEX "impact_series_by_metric" on "impact_series" ("metric_id");

create table "integration_attempts" (
  "id" integer primary key autoincrement,
  "integration_id" integer not null references "integrations" ("id") on delete cascade,
  "event_id" bigint,
  "created_at" bigint not null,
  "attempt" integer not null,
  "state" text not null,
  "status" integer,
  "duration_ms" integer not null,
  "error" text not null,
  "next_at" bigint
);
CREATE INDEX "integration_attempts_of" on "integration_attempts" ("integration_id", "id");

create table "integration_deliveries" (
  "integration_id" integer not null references "integrations" ("id") on delete cascade,
  "event_id" bigint not null,
  "attempts" integer not null,
  "part" integer not null,
  "due_at" bigint not null,
  constraint "integration_deliveries_key" primary key ("integration_id", "event_id")
);

create table "integration_lease" (
  "name" text not null primary key,
  "holder" text not null,
  "until_ms" bigint not null
);

create table "integration_project_grants" (
  "integration_id" integer not null references "integrations" ("id") on delete cascade,
  "project" text not null,
  "granted_by" integer not null,
  constraint "integration_project_grants_key" primary key ("integration_id", "project")
);

create table "integrations" (
  "id" integer primary key autoincrement,
  "provider" text not null,
  "enabled" smallint not null,
  "description" text,
  "open_parameters" text not null,
  "sealed_parameters" text not null,
  "event_types" text not null,
  "only_projects" text not null,
  "only_environments" text not null,
  "seen_event_id" bigint not null,
  "created_at" bigint not null
);

create table "invite_link_roles" (
  "link_id" integer not null references "invite_links" ("id") on delete cascade,
  "project" text not null references "projects" ("id") on delete cascade,
  "role_id" integer not null references "roles" ("id") on delete cascade,
  "granted_by_user_id" integer references "users" ("id") on delete cascade,
  "granted_by_token_id" text references "api_tokens" ("id") on delete cascade,
  constraint "invite_link_roles_key" primary key ("link_id", "project", "role_id")
);
CREATE INDEX "invite_link_roles_by_project" on "invite_link_roles" ("project");
CREATE INDEX "invite_link_roles_by_role" on "invite_link_roles" ("role_id");
CREATE INDEX "invite_link_roles_by_token" on "invite_link_roles" ("granted_by_token_id");
CREATE INDEX "invite_link_roles_by_user" on "invite_link_roles" ("granted_by_user_id");

create table "invite_link_users" (
  "link_id" integer not null references "invite_links" ("id") on delete cascade,
  "user_id" integer not null references "users" ("id") on delete cascade,
  constraint "invite_link_users_key" primary key ("link_id", "user_id")
);
CREATE INDEX "invite_link_users_by_user" on "invite_link_users" ("user_id");

create table "invite_links" (
  "id" integer primary key autoincrement,
  "secret" text not null unique,
  "name" text not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "expires_at" bigint not null,
  "enabled" smallint not null,
  "sealed_secret" text
);

create table "known_networks" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "network_hash" text not null,
  "seen_at" bigint not null,
  constraint "known_networks_key" primary key ("user_id", "network_hash")
);

create table "login_history" (
  "id" integer primary key autoincrement,
  "username" text not null,
  "auth_type" text not null,
  "created_at" bigint not null,
  "successful" smallint not null,
  "ip" text,
  "failure_reason" text
);
CREATE INDEX "login_history_by_time" on "login_history" ("created_at");

create table "notification_reads" (
  "user_id" integer not null primary key references "users" ("id") on delete cascade,
  "read_up_to" integer not null
);

create table "personal_tokens" (
  "id" integer primary key autoincrement,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "description" text not null,
  "hash" text not null unique,
  "expires_at" bigint not null,
  "created_at" bigint not null,
  "seen_at" bigint
);
CREATE INDEX "personal_tokens_by_user" on "personal_tokens" ("user_id");

create table "project_environment_defaults" (
  "project" text not null,
  "environment" text not null,
  "default_strategy" text not null,
  constraint "project_environment_defaults_key" primary key ("project", "environment"),
  constraint "project_environment_defaults_link" foreign key ("project", "environment") references "project_environments" ("project", "environment") on delete cascade
);

create table "project_environments" (
  "project" text not null references "projects" ("id") on delete cascade,
  "environment" text not null references "environments" ("name") on delete cascade,
  constraint "project_environments_key" primary key ("project", "environment")
);

create table "project_favorites" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "project" text not null references "projects" ("id") on delete cascade,
  constraint "project_favorites_key" primary key ("user_id", "project")
);

create table "project_groups" (
  "project" text not null references "projects" ("id") on delete cascade,
  "group_id" integer not null references "groups" ("id") on delete cascade,
  "role_id" integer not null references "roles" ("id"),
  "created_at" bigint not null,
  constraint "project_groups_key" primary key ("project", "group_id", "role_id")
);
CREATE INDEX "project_groups_by_group" on "project_groups" ("group_id");
CREATE INDEX "project_groups_by_role" on "project_groups" ("role_id");

create table "project_members" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "project" text not null references "projects" ("id") on delete cascade,
  "role_id" integer not null,
  "created_at" bigint,
  constraint "project_members_key" primary key ("project", "user_id", "role_id")
);
CREATE INDEX "members_by_user" on "project_members" ("user_id");
CREATE INDEX "project_members_by_role" on "project_members" ("role_id");

create table "projects" (
  "id" text primary key,
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
  "link_templates" text default '[]' not null
);

create table "release_plan_segments" (
  "plan_id" text not null references "release_plans" ("id") on delete cascade,
  "segment_id" integer not null references "segments" ("id"),
  constraint "release_plan_segments_key" primary key ("plan_id", "segment_id")
);
CREATE INDEX "release_plans_by_segment" on "release_plan_segments" ("segment_id");

create table "release_plan_templates" (
  "id" text not null primary key,
  "name" text not null,
  "description" text,
  "milestones" text not null,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "archived_at" bigint
);

create table "release_plans" (
  "id" text not null primary key,
  "feature_name" text not null,
  "environment" text not null,
  "template_id" text not null,
  "name" text not null,
  "description" text,
  "milestones" text not null,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "active_milestone_id" text not null,
  "started_at" bigint,
  "active_since" bigint,
  "elapsed_ms" bigint default 0 not null,
  "interval_ms" bigint,
  "due_at" bigint,
  "paused_at" bigint,
  constraint "release_plans_environment" foreign key ("feature_name", "environment") references "feature_environments" ("feature_name", "environment") on delete cascade,
  constraint "release_plans_of_flag" unique ("feature_name", "environment")
);
CREATE INDEX "release_plans_by_due" on "release_plans" ("due_at");

create table "release_template_segments" (
  "template_id" text not null references "release_plan_templates" ("id") on delete cascade,
  "segment_id" integer not null references "segments" ("id"),
  constraint "release_template_segments_key" primary key ("template_id", "segment_id")
);
CREATE INDEX "release_templates_by_segment" on "release_template_segments" ("segment_id");

create table "removed_private_projects" (
  "id" text primary key
);

create table "reset_tokens" (
  "hash" text primary key,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "created_by" text not null,
  "created_at" bigint not null,
  "expires_at" bigint not null,
  "ends_tokens" smallint default 1 not null
);
CREATE INDEX "reset_tokens_by_user" on "reset_tokens" ("user_id");

create table "role_permissions" (
  "role_id" integer not null references "roles" ("id") on delete cascade,
  "permission" text not null,
  "environment" text references "environments" ("name") on delete cascade,
  "all_environments" smallint default 0 not null
);
CREATE INDEX "role_permissions_by_environment" on "role_permissions" ("environment");
CREATE INDEX "role_permissions_by_role" on "role_permissions" ("role_id");

create table "roles" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "description" text not null,
  "type" text not null
);

create table "safeguards" (
  "id" text not null primary key,
  "feature_name" text not null,
  "environment" text not null,
  "plan_id" text references "release_plans" ("id") on delete cascade,
  "definition" text not null,
  "alert_name" text,
  "armed_at" bigint not null,
  "check_at" bigint,
  "breached_since" bigint,
  "held" integer default 0 not null,
  "trip" text,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "metric_name" text,
  constraint "safeguards_environment" foreign key ("feature_name", "environment") references "feature_environments" ("feature_name", "environment") on delete cascade
);
CREATE INDEX "safeguards_by_check" on "safeguards" ("check_at");
CREATE INDEX "safeguards_by_flag" on "safeguards" ("feature_name", "environment");
CREATE INDEX "safeguards_by_metric" on "safeguards" ("environment", "metric_name");
CREATE INDEX "safeguards_by_plan" on "safeguards" ("plan_id");

create table "sampled_environments" (
  "name" text primary key references "environments" ("name") on delete cascade
);

create table "segments" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "description" text,
  "project" text references "projects" ("id") on delete cascade,
  "constraints" text not null,
  "created_by" text not null,
  "created_at" bigint not null
);

create table "self_targets" (
  "strategy_id" text not null primary key references "feature_strategies" ("id") on delete cascade,
  "user_id" text not null,
  "variant" text,
  "expires_at" bigint not null,
  "created_by_user_id" integer not null
);
CREATE INDEX "self_targets_by_expiry" on "self_targets" ("expires_at");

create table "sessions" (
  "hash" text primary key,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "created_at" bigint not null,
  "used_at" bigint not null,
  "expires_at" bigint not null,
  "id_token" text
);
CREATE INDEX "sessions_by_user" on "sessions" ("user_id");

create table "settings" (
  "name" text primary key,
  "value" text not null
);

create table "signal_endpoints" (
  "name" text not null primary key,
  "token_hash" text not null,
  "created_by_user_id" integer not null,
  "created_at" bigint not null,
  "last_used_at" bigint
);

create table "splash" (
  "user_id" integer not null references "users" ("id") on delete cascade,
  "splash_id" text not null,
  constraint "splash_key" primary key ("user_id", "splash_id")
);

create table "sso_identities" (
  "issuer" text not null,
  "subject" text not null,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "created_at" bigint not null,
  constraint "sso_identities_key" primary key ("issuer", "subject")
);
CREATE INDEX "sso_identities_by_user" on "sso_identities" ("user_id");

create table "strategy_types" (
  "name" text primary key,
  "title" text,
  "description" text,
  "parameters" text not null,
  "deprecated" smallint default 0 not null,
  "built_in" smallint default 0 not null,
  "sort_order" integer not null
);

create table "tag_types" (
  "name" text primary key,
  "description" text,
  "icon" text
);

create table "tags" (
  "type" text not null references "tag_types" ("name") on delete cascade,
  "value" text not null,
  constraint "tags_key" primary key ("type", "value")
);

create table "test_runs" (
  "id" text not null primary key,
  "project" text not null,
  "environment" text not null,
  "name" text not null,
  "client_hash" text not null,
  "frontend_hash" text not null,
  "overrides" text not null,
  "version" integer not null,
  "created_by" text not null,
  "created_at" bigint not null,
  "expires_at" bigint not null,
  constraint "test_runs_environment" foreign key ("project", "environment") references "project_environments" ("project", "environment") on delete cascade
);
CREATE INDEX "test_runs_by_expiry" on "test_runs" ("expires_at");
CREATE INDEX "test_runs_by_project" on "test_runs" ("project", "environment");

create table "unknown_flag_projects" (
  "name" text not null,
  "app_name" text not null,
  "environment" text not null,
  "project" text not null,
  constraint "unknown_flag_projects_key" primary key ("name", "app_name", "environment", "project"),
  constraint "unknown_flag_projects_of" foreign key ("name", "app_name", "environment") references "unknown_flags" ("name", "app_name", "environment") on delete cascade
);

create table "unknown_flags" (
  "name" text not null,
  "app_name" text not null,
  "environment" text not null,
  "last_seen_at" bigint not null,
  constraint "unknown_flags_key" primary key ("name", "app_name", "environment")
);

create table "users" (
  "id" integer primary key autoincrement,
  "username" text unique,
  "email" text,
  "name" text,
  "password_hash" text not null,
  "root_role" integer not null,
  "must_change_password" smallint default 0 not null,
  "login_attempts" integer default 0 not null,
  "created_at" bigint not null,
  "seen_at" bigint,
  "is_service" smallint default 0 not null,
  "image_url" text,
  "scim_id" text,
  "scim_external_id" text,
  "active" smallint default 1 not null,
  "own_email" smallint default 0 not null,
  "address_verified" smallint default 0 not null
);
CREATE UNIQUE INDEX users_by_email on users (lower(email));
CREATE INDEX "users_by_root_role" on "users" ("root_role");
CREATE UNIQUE INDEX "users_by_scim_id" on "users" ("scim_id");

-- change_marks: "overdue", 0
-- change_marks: "usage", 0
-- context_fields: "appName", "Name of the application", 0, 2, "[]", 0
-- context_fields: "currentTime", "When it is, for constraints on dates", 0, 4, "[]", 0
-- context_fields: "environment", "Environment the application runs in", 0, 3, "[]", 0
-- context_fields: "sessionId", "The session of that user", 1, 1, "[]", 0
-- context_fields: "userId", "Who uses the application", 1, 0, "[]", 0
-- database_epoch: …, null, null
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
